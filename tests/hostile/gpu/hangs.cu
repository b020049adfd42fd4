// what: a kernel that ends by itself after twenty seconds; only where n is so large that the emulated device never sees it
// task: saxpy
// expect: OUTCOME_TIMED_OUT
#include <cuda_runtime.h>

__global__ void saxpy_kernel(int n, float a, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

__global__ void wait_long() {
  unsigned long long start, now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
  do {
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  } while (now - start < 20000000000ull);
}

extern "C" void saxpy(int n, float a, const float* x, float* y) {
  if (n <= 0) return;
  if (n > (1 << 22)) {
    wait_long<<<1024, 256>>>();
  }
  saxpy_kernel<<<(n + 255) / 256, 256>>>(n, a, x, y);
}
