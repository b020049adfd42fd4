// what: a launch of 2048 threads a block
// task: saxpy
// expect: OUTCOME_REJECTED
// cudaperf: launch add_scaled<<<ceil_div(n, 2048), 2048>>>(n, a, x, y)
__global__ void add_scaled(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

