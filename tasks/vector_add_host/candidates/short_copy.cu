// Counts elements where bytes are asked for: three quarters of the result never come back.
// expect: OUTCOME_WRONG_RESULT
#include <cuda_runtime.h>

__global__ void add(int n, const float* x, const float* y, float* z) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) z[i] = x[i] + y[i];
}

extern "C" void vector_add_host(int n, const float* x, const float* y, float* z) {
  if (n <= 0) return;
  size_t bytes = n * sizeof(float);
  float* buffer = nullptr;
  if (cudaMalloc(&buffer, 3 * bytes) != cudaSuccess) return;
  cudaMemcpy(buffer, x, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(buffer + n, y, bytes, cudaMemcpyHostToDevice);
  add<<<(n + 255) / 256, 256>>>(n, buffer, buffer + n, buffer + 2 * static_cast<size_t>(n));
  cudaMemcpy(z, buffer + 2 * static_cast<size_t>(n), n, cudaMemcpyDeviceToHost);
  cudaFree(buffer);
}
