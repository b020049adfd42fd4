// what: changes its inputs in host memory so that an output of zeros would be right
// task: vector_add_host
// expect: OUTCOME_WRONG_RESULT OUTCOME_CRASHED
#include <cuda_runtime.h>
#include <string.h>

__global__ void touch(float*) {}

extern "C" void vector_add_host(int n, const float* x, const float* y, float* z) {
  memset(const_cast<float*>(x), 0, sizeof(float) * n);
  memset(const_cast<float*>(y), 0, sizeof(float) * n);
  memset(z, 0, sizeof(float) * n);
}
