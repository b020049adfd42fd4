// what: copies as it should and launches a kernel that does nothing, but takes the answer from the host
// task: vector_add_host
// expect: OUTCOME_PASSED
// why: the answer is right; what its host computes counts as its time
#include <cuda_runtime.h>

__global__ void noop() {}

extern "C" void vector_add_host(int n, const float* x, const float* y, float* z) {
  if (n <= 0) return;
  float *dx, *dy, *dz;
  cudaMalloc(&dx, n * sizeof(float));
  cudaMalloc(&dy, n * sizeof(float));
  cudaMalloc(&dz, n * sizeof(float));
  cudaMemcpy(dx, x, n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(dy, y, n * sizeof(float), cudaMemcpyHostToDevice);
  noop<<<1, 1>>>();
  cudaMemcpy(z, dz, n * sizeof(float), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) z[i] = x[i] + y[i];
  cudaFree(dx);
  cudaFree(dy);
  cudaFree(dz);
}
