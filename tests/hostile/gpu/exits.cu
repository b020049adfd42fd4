// what: ends its process with success instead of an answer; only where n is so large that the emulated device never sees it
// task: saxpy
// expect: OUTCOME_CRASHED
#include <cuda_runtime.h>

#include <cstdlib>

__global__ void saxpy_kernel(int n, float a, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

extern "C" void saxpy(int n, float a, const float* x, float* y) {
  if (n <= 0) return;
  if (n > (1 << 22)) {
    exit(0);
  }
  saxpy_kernel<<<(n + 255) / 256, 256>>>(n, a, x, y);
}
