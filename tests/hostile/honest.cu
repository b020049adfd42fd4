// what: nothing bad: the twin that must pass after each of the others
// task: saxpy
// expect: OUTCOME_PASSED
// cudaperf: launch add_scaled<<<ceil_div(n, 256), 256>>>(n, a, x, y)

__global__ void add_scaled(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}
