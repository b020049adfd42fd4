// Loads whole tiles of 64 bodies, also where there are fewer left.
// expect: OUTCOME_MEMORY_FAULT
// cudaperf: launch nbody_whole_tiles<<<ceil_div(n, 64), 64>>>(n, bodies, accelerations)
__global__ void nbody_whole_tiles(int n, const float* bodies, float* accelerations) {
  __shared__ float4 tile[64];
  const float4* all = reinterpret_cast<const float4*>(bodies);
  int i = blockIdx.x * 64 + threadIdx.x;
  float4 mine = all[i];
  float ax = 0.0f, ay = 0.0f, az = 0.0f;
  for (int first = 0; first < n; first += 64) {
    tile[threadIdx.x] = all[first + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 64 && first + k < n; ++k) {
      float4 other = tile[k];
      float dx = other.x - mine.x, dy = other.y - mine.y, dz = other.z - mine.z;
      float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
      float factor = other.w * inverse * inverse * inverse;
      ax += factor * dx;
      ay += factor * dy;
      az += factor * dz;
    }
    __syncthreads();
  }
  if (i >= n) return;
  accelerations[3 * i] = ax;
  accelerations[3 * i + 1] = ay;
  accelerations[3 * i + 2] = az;
}
