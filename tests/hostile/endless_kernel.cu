// what: launches a kernel that never ends
// task: saxpy
// expect: OUTCOME_TIMED_OUT
#include <cuda_runtime.h>

__global__ void endless(volatile float* y) {
  while (y[0] != 12345.0f) {
  }
}

__global__ void add_scaled(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

extern "C" void saxpy(int n, float a, const float* x, float* y) {
  endless<<<1, 32>>>(y);
  cudaDeviceSynchronize();
}
