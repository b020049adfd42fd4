// The guard leaves out the last element.
// expect: OUTCOME_WRONG_RESULT
// cudaperf: launch saxpy_short<<<ceil_div(n, 256), 256>>>(n, a, x, y)
__global__ void saxpy_short(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n - 1) y[i] = a * x[i] + y[i];
}
