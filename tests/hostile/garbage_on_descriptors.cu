// what: computes the right answer, then writes garbage to every descriptor
// task: saxpy
// expect: OUTCOME_CRASHED OUTCOME_WRONG_RESULT OUTCOME_MEMORY_FAULT
#include <cuda_runtime.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

__global__ void add_scaled(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

extern "C" void saxpy(int n, float a, const float* x, float* y) {
  if (n > 0) add_scaled<<<(n + 255) / 256, 256>>>(n, a, x, y);
  cudaDeviceSynchronize();
  char garbage[65536];
  memset(garbage, 0xa5, sizeof(garbage));
  for (int descriptor = 0; descriptor < 256; ++descriptor) {
    fcntl(descriptor, F_SETFL, O_NONBLOCK);
    if (write(descriptor, garbage, sizeof(garbage)) < 0) continue;
  }
}
