// Allocates half of what the kernel writes.
// expect: OUTCOME_MEMORY_FAULT
#include <cuda_runtime.h>

__global__ void add(int n, const float* x, const float* y, float* z) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) z[i] = x[i] + y[i];
}

extern "C" void vector_add_host(int n, const float* x, const float* y, float* z) {
  if (n <= 0) return;
  size_t bytes = n * sizeof(float);
  float *dx = nullptr, *dy = nullptr, *dz = nullptr;
  cudaMalloc(&dx, bytes);
  cudaMalloc(&dy, bytes);
  cudaMalloc(&dz, bytes / 2);
  cudaMemcpy(dx, x, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(dy, y, bytes, cudaMemcpyHostToDevice);
  add<<<(n + 255) / 256, 256>>>(n, dx, dy, dz);
  cudaMemcpy(z, dz, bytes, cudaMemcpyDeviceToHost);
  cudaFree(dx);
  cudaFree(dy);
  cudaFree(dz);
}
