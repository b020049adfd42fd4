// what: writes far outside; only where n is so large that the emulated device never sees it
// task: saxpy
// expect: OUTCOME_MEMORY_FAULT
#include <cuda_runtime.h>

__global__ void saxpy_kernel(int n, float a, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

__global__ void stray(float* y) { y[1ll << 40] = 1; }

extern "C" void saxpy(int n, float a, const float* x, float* y) {
  if (n <= 0) return;
  if (n > (1 << 22)) {
    stray<<<1, 1>>>(y);
  }
  saxpy_kernel<<<(n + 255) / 256, 256>>>(n, a, x, y);
}
