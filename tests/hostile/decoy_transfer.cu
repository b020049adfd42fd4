// what: brings garbage back from the device to look busy and adds on the host
// task: vector_add_host
// expect: OUTCOME_REJECTED
#include <cuda_runtime.h>
__global__ void noop() {}
extern "C" void vector_add_host(int n, const float* x, const float* y, float* z) {
  if (n <= 0) return;
  float* d; cudaMalloc(&d, n*4);
  noop<<<1,1>>>();
  cudaMemcpy(z, d, n*4, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) z[i] = x[i] + y[i];
}
