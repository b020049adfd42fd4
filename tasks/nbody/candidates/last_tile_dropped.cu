// Visits n / 32 whole tiles: the bodies behind them pull nobody.
// expect: OUTCOME_WRONG_RESULT
// cudaperf: launch nbody_short<<<ceil_div(n, 32), 32>>>(n, bodies, accelerations)
__global__ void nbody_short(int n, const float* bodies, float* accelerations) {
  __shared__ float4 tile[32];
  const float4* all = reinterpret_cast<const float4*>(bodies);
  int i = blockIdx.x * 32 + threadIdx.x;
  float4 mine = i < n ? all[i] : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  float ax = 0.0f, ay = 0.0f, az = 0.0f;
  for (int round = 0; round < n / 32; ++round) {
    tile[threadIdx.x] = all[round * 32 + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 32; ++k) {
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
