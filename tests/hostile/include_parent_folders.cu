// what: climbs out of the working folder to a host file
// task: saxpy
// expect: OUTCOME_COMPILE_FAILED OUTCOME_REJECTED
// cudaperf: launch add_scaled<<<ceil_div(n, 256), 256>>>(n, a, x, y)
#include "../../../../../../../../etc/hostname"

__global__ void add_scaled(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}
