// what: writes a little before its output; only where n is so large that the emulated device never sees it
// task: saxpy
// expect: OUTCOME_MEMORY_FAULT OUTCOME_WRONG_RESULT
#include <cuda_runtime.h>

__global__ void saxpy_kernel(int n, float a, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

__global__ void stray(float* y) { y[-1] = 1; }

extern "C" void saxpy(int n, float a, const float* x, float* y) {
  if (n <= 0) return;
  if (n > (1 << 22)) {
    saxpy_kernel<<<(n + 255) / 256, 256>>>(n, a, x, y);
    stray<<<1, 1>>>(y);
    return;
  }
  saxpy_kernel<<<(n + 255) / 256, 256>>>(n, a, x, y);
}
