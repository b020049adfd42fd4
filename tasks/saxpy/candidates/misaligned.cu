// Peels one element, then reads 128 bits at an address that is only 4-byte aligned.
// expect: OUTCOME_MEMORY_FAULT
// cudaperf: launch saxpy_peeled<<<ceil_div(n, 1024), 256>>>(n, a, x, y)
__global__ void saxpy_peeled(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int quad_count = (n - 1) / 4;
  if (i == 0) y[0] = a * x[0] + y[0];
  if (i < quad_count) {
    float4 u = *reinterpret_cast<const float4*>(x + 1 + 4 * i);
    float4 v = *reinterpret_cast<const float4*>(y + 1 + 4 * i);
    v = make_float4(a * u.x + v.x, a * u.y + v.y, a * u.z + v.z, a * u.w + v.w);
    *reinterpret_cast<float4*>(y + 1 + 4 * i) = v;
  }
  int rest = 1 + 4 * quad_count + i;
  if (i < 4 && rest < n) y[rest] = a * x[rest] + y[rest];
}
