// what: destroys its context; only where n is so large that the emulated device never sees it
// task: saxpy
// expect: OUTCOME_REJECTED OUTCOME_MEMORY_FAULT OUTCOME_CRASHED OUTCOME_WRONG_RESULT
#include <cuda_runtime.h>

__global__ void saxpy_kernel(int n, float a, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

extern "C" void saxpy(int n, float a, const float* x, float* y) {
  if (n <= 0) return;
  if (n > (1 << 22)) {
    cudaDeviceReset();
    return;
  }
  saxpy_kernel<<<(n + 255) / 256, 256>>>(n, a, x, y);
}
