// Adds the last element on the host, through a device pointer.
// expect: OUTCOME_CRASHED
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
  float *dx = buffer, *dy = dx + n, *dz = dy + n;
  cudaMemcpy(dx, x, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(dy, y, bytes, cudaMemcpyHostToDevice);
  add<<<(n + 255) / 256, 256>>>(n - 1, dx, dy, dz);
  cudaDeviceSynchronize();
  dz[n - 1] = x[n - 1] + y[n - 1];
  cudaMemcpy(z, dz, bytes, cudaMemcpyDeviceToHost);
  cudaFree(buffer);
}
