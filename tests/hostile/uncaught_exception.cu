// what: throws an exception out of the C function
// task: saxpy
// expect: OUTCOME_CRASHED
#include <stdexcept>

__global__ void add_scaled(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

extern "C" void saxpy(int n, float a, const float* x, float* y) {
  throw std::runtime_error("not my problem");
}
