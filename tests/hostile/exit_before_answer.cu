// what: exits with status 0 instead of answering
// task: saxpy
// expect: OUTCOME_CRASHED
#include <stdlib.h>

__global__ void add_scaled(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

extern "C" void saxpy(int n, float a, const float* x, float* y) {
  exit(0);
}
