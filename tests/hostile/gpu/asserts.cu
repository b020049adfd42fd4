// what: a failed assertion on the device; only where n is so large that the emulated device never sees it
// task: saxpy
// expect: OUTCOME_MEMORY_FAULT
#include <cuda_runtime.h>

#include <cassert>

__global__ void saxpy_kernel(int n, float a, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

__global__ void fail(int n) { assert(n < 0); }

extern "C" void saxpy(int n, float a, const float* x, float* y) {
  if (n <= 0) return;
  if (n > (1 << 22)) {
    fail<<<1, 1>>>(n);
  }
  saxpy_kernel<<<(n + 255) / 256, 256>>>(n, a, x, y);
}
