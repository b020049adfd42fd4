// The launch passes three arguments to a kernel of four parameters.
// expect: OUTCOME_REJECTED
// cudaperf: launch saxpy_four<<<ceil_div(n, 256), 256>>>(n, x, y)
__global__ void saxpy_four(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}
