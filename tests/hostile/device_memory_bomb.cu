// what: takes device memory until there is none, then computes the right answer
// task: saxpy
// expect: OUTCOME_PASSED OUTCOME_TIMED_OUT
// why: device memory has a limit; once it is reached calls fail and the kernel needs none, but a slow machine may not get there in time
#include <cuda_runtime.h>

__global__ void add_scaled(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

extern "C" void saxpy(int n, float a, const float* x, float* y) {
  void* block;
  for (int taken = 0; taken < 100000 && cudaMalloc(&block, 64u << 20) == cudaSuccess; ++taken) cudaMemset(block, 1, 4096);
  cudaGetLastError();
  if (n > 0) add_scaled<<<(n + 255) / 256, 256>>>(n, a, x, y);
}
