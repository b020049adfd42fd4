// Hands the host's pointers to the kernel.
// expect: OUTCOME_MEMORY_FAULT
#include <cuda_runtime.h>

__global__ void add(int n, const float* x, const float* y, float* z) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) z[i] = x[i] + y[i];
}

extern "C" void vector_add_host(int n, const float* x, const float* y, float* z) {
  if (n <= 0) return;
  add<<<(n + 255) / 256, 256>>>(n, x, y, z);
  cudaDeviceSynchronize();
}
