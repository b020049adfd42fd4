// 128-bit accesses without a loop for the last n % 4 elements.
// expect: OUTCOME_WRONG_RESULT
// cudaperf: launch saxpy_quads<<<ceil_div(n, 1024), 256>>>(n / 4, a, x, y)
__global__ void saxpy_quads(int quad_count, float a, const float4* x, float4* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= quad_count) return;
  float4 u = x[i], v = y[i];
  y[i] = make_float4(a * u.x + v.x, a * u.y + v.y, a * u.z + v.z, a * u.w + v.w);
}
