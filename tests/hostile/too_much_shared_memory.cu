// what: a launch with more shared memory than a multiprocessor has
// task: saxpy
// expect: OUTCOME_REJECTED
// cudaperf: launch add_scaled<<<ceil_div(n, 256), 256, 300000>>>(n, a, x, y)
__global__ void add_scaled(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

