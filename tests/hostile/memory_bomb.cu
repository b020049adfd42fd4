// what: takes and touches memory until there is none
// task: saxpy
// expect: OUTCOME_CRASHED OUTCOME_TIMED_OUT
#include <stdlib.h>
#include <string.h>

__global__ void add_scaled(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

extern "C" void saxpy(int n, float a, const float* x, float* y) {
  for (;;) {
    char* block = static_cast<char*>(malloc(64u << 20));
    if (block == nullptr) abort();
    memset(block, 1, 64u << 20);
  }
}
