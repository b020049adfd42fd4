// Loads the next tile over the one that other warps have not used yet.
// expect: OUTCOME_WRONG_RESULT
// cudaperf: launch nbody_hasty<<<ceil_div(n, 64), 64>>>(n, bodies, accelerations)
__global__ void nbody_hasty(int n, const float* bodies, float* accelerations) {
  __shared__ float4 tile[64];
  const float4* all = reinterpret_cast<const float4*>(bodies);
  int i = blockIdx.x * 64 + threadIdx.x;
  float4 mine = i < n ? all[i] : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  float ax = 0.0f, ay = 0.0f, az = 0.0f;
  for (int first = 0; first < n; first += 64) {
    int j = first + threadIdx.x;
    tile[threadIdx.x] = j < n ? all[j] : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    __syncthreads();
    for (int k = 0; k < 64; ++k) {
      float4 other = tile[k];
      float dx = other.x - mine.x, dy = other.y - mine.y, dz = other.z - mine.z;
      float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
      float factor = other.w * inverse * inverse * inverse;
      ax += factor * dx;
      ay += factor * dy;
      az += factor * dz;
    }
  }
  if (i >= n) return;
  accelerations[3 * i] = ax;
  accelerations[3 * i + 1] = ay;
  accelerations[3 * i + 2] = az;
}
