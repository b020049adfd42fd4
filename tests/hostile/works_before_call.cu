// what: guesses where its buffers are and works on them from a constructor, before anything is counted
// task: saxpy
// expect: OUTCOME_PASSED OUTCOME_WRONG_RESULT OUTCOME_CRASHED
// why: commands before the first reset wait for it, so what the constructor does is counted; it gains nothing by it
#include <pthread.h>

#include <cuda_runtime.h>

__global__ void add_scaled(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

static float* scratch = nullptr;

__attribute__((constructor)) static void early() {
  cudaMalloc(&scratch, 1 << 20);
  cudaMemset(scratch, 0, 1 << 20);
  // Where a buffer attached before this one may be.
  for (long distance = 4096; distance <= 1 << 20; distance *= 2) {
    float value = 0;
    cudaMemcpy(&value, reinterpret_cast<char*>(scratch) - distance, sizeof(value), cudaMemcpyDeviceToHost);
  }
  cudaGetLastError();
}

extern "C" void saxpy(int n, float a, const float* x, float* y) {
  if (n > 0) add_scaled<<<(n + 255) / 256, 256>>>(n, a, x, y);
}
