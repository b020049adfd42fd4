// Waits for a flag in y that nobody sets.
// expect: OUTCOME_TIMED_OUT
// cudaperf: launch saxpy_waiting<<<ceil_div(n, 256), 256>>>(n, a, x, y)
__global__ void saxpy_waiting(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  while (*static_cast<volatile float*>(y) != 12345.0f) {
  }
  y[i] = a * x[i] + y[i];
}
