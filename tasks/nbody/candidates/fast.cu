// Tiles of 64 bodies in shared memory as 128-bit words, reciprocal square root in hardware.
// expect: OUTCOME_PASSED
// cudaperf: launch nbody_tiles<<<ceil_div(n, 64), 64>>>(n, bodies, accelerations)
__global__ void __launch_bounds__(64)
nbody_tiles(int n, const float* __restrict__ bodies, float* __restrict__ accelerations) {
  __shared__ float4 tile[64];
  const float4* all = reinterpret_cast<const float4*>(bodies);
  const int i = blockIdx.x * 64 + threadIdx.x;
  const float4 mine = i < n ? all[i] : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  float ax = 0.0f, ay = 0.0f, az = 0.0f;
  for (int first = 0; first < n; first += 64) {
    const int j = first + threadIdx.x;
    tile[threadIdx.x] = j < n ? all[j] : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    __syncthreads();
#pragma unroll 8
    for (int k = 0; k < 64; ++k) {
      const float4 other = tile[k];
      const float dx = other.x - mine.x, dy = other.y - mine.y, dz = other.z - mine.z;
      const float inverse = rsqrtf(fmaf(dx, dx, fmaf(dy, dy, fmaf(dz, dz, 0.01f))));
      const float factor = other.w * inverse * inverse * inverse;
      ax = fmaf(factor, dx, ax);
      ay = fmaf(factor, dy, ay);
      az = fmaf(factor, dz, az);
    }
    __syncthreads();
  }
  if (i >= n) return;
  accelerations[3 * i] = ax;
  accelerations[3 * i + 1] = ay;
  accelerations[3 * i + 2] = az;
}
