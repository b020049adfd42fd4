// what: resets the device, then computes the right answer
// task: saxpy
// expect: OUTCOME_PASSED OUTCOME_WRONG_RESULT OUTCOME_MEMORY_FAULT
// why: a reset ends the candidate's own state; whether the judge's buffers survive it is the runtime's choice
#include <cuda_runtime.h>

__global__ void add_scaled(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

extern "C" void saxpy(int n, float a, const float* x, float* y) {
  cudaDeviceReset();
  if (n > 0) add_scaled<<<(n + 255) / 256, 256>>>(n, a, x, y);
}
