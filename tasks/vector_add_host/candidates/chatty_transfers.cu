// Moves 2048 elements at a time: hundreds of small copies and launches.
// expect: OUTCOME_PASSED
#include <cuda_runtime.h>

__global__ void add(int n, const float* x, const float* y, float* z) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) z[i] = x[i] + y[i];
}

extern "C" void vector_add_host(int n, const float* x, const float* y, float* z) {
  if (n <= 0) return;
  const int chunk = 2048;
  float* buffer = nullptr;
  if (cudaMalloc(&buffer, 3 * chunk * sizeof(float)) != cudaSuccess) return;
  for (int first = 0; first < n; first += chunk) {
    int count = n - first < chunk ? n - first : chunk;
    cudaMemcpy(buffer, x + first, count * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(buffer + chunk, y + first, count * sizeof(float), cudaMemcpyHostToDevice);
    add<<<(count + 255) / 256, 256>>>(count, buffer, buffer + chunk, buffer + 2 * chunk);
    cudaMemcpy(z + first, buffer + 2 * chunk, count * sizeof(float), cudaMemcpyDeviceToHost);
  }
  cudaFree(buffer);
}
