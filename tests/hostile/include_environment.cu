// what: includes the compiler's environment
// task: saxpy
// expect: OUTCOME_COMPILE_FAILED OUTCOME_REJECTED
// never: PATH=
// cudaperf: launch add_scaled<<<ceil_div(n, 256), 256>>>(n, a, x, y)
#include "/proc/self/environ"

__global__ void add_scaled(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}
