// what: takes more device memory than it may; only where n is so large that the emulated device never sees it
// task: saxpy
// expect: OUTCOME_MEMORY_FAULT
#include <cuda_runtime.h>
#include <unistd.h>

__global__ void saxpy_kernel(int n, float a, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

extern "C" void saxpy(int n, float a, const float* x, float* y) {
  if (n <= 0) return;
  if (n > (1 << 22)) {
    void* hoard = nullptr;
    for (int i = 0; i < 16; ++i) cudaMalloc(&hoard, 1ull << 30);
    usleep(200000);
  }
  saxpy_kernel<<<(n + 255) / 256, 256>>>(n, a, x, y);
}
