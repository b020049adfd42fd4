// what: includes itself twice, without end
// task: saxpy
// expect: OUTCOME_COMPILE_FAILED OUTCOME_REJECTED
// cudaperf: launch add_scaled<<<ceil_div(n, 256), 256>>>(n, a, x, y)
#include __FILE__
#include __FILE__

__global__ void add_scaled(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}
