// Four elements per thread in one 128-bit access; the last block takes the remainder.
// expect: OUTCOME_PASSED
// cudaperf: launch saxpy_vector<<<ceil_div(n, 1024), 256>>>(n, a, x, y)
__global__ void __launch_bounds__(256)
saxpy_vector(int n, float a, const float* __restrict__ x, float* __restrict__ y) {
  const int quad_count = n / 4;
  const int quad = blockIdx.x * blockDim.x + threadIdx.x;
  if (quad < quad_count) {
    const float4 u = reinterpret_cast<const float4*>(x)[quad];
    float4 v = reinterpret_cast<float4*>(y)[quad];
    v.x = fmaf(a, u.x, v.x);
    v.y = fmaf(a, u.y, v.y);
    v.z = fmaf(a, u.z, v.z);
    v.w = fmaf(a, u.w, v.w);
    reinterpret_cast<float4*>(y)[quad] = v;
  }
  const int rest = quad_count * 4 + static_cast<int>(threadIdx.x);
  if (blockIdx.x == gridDim.x - 1 && rest < n) y[rest] = fmaf(a, x[rest], y[rest]);
}
