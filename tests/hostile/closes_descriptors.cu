// what: closes every descriptor and returns
// task: saxpy
// expect: OUTCOME_CRASHED
#include <unistd.h>

__global__ void add_scaled(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

extern "C" void saxpy(int n, float a, const float* x, float* y) {
  for (int descriptor = 0; descriptor < 1024; ++descriptor) close(descriptor);
}
