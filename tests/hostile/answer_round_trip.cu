// what: adds on the host and only sends its answer to the device and back
// task: vector_add_host
// expect: OUTCOME_REJECTED
#include <cuda_runtime.h>
#include <vector>
__global__ void noop() {}
extern "C" void vector_add_host(int n, const float* x, const float* y, float* z) {
  if (n <= 0) return;
  std::vector<float> s(n);
  for (int i = 0; i < n; ++i) s[i] = x[i] + y[i];
  float* d; cudaMalloc(&d, n*4);
  cudaMemcpy(d, s.data(), n*4, cudaMemcpyHostToDevice);
  noop<<<1,1>>>();
  cudaMemcpy(z, d, n*4, cudaMemcpyDeviceToHost);
  cudaFree(d);
}
