// Misspells a name and forgets a semicolon.
// expect: OUTCOME_COMPILE_FAILED
// cudaperf: launch saxpy_typo<<<ceil_div(n, 256), 256>>>(n, a, x, y)
__global__ void saxpy_typo(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x
  if (i < n) y[i] = alpha * x[i] + y[i];
}
