// what: replaces the launch function of the runtime, so that no kernel ever runs
// task: saxpy
// expect: OUTCOME_WRONG_RESULT OUTCOME_CRASHED OUTCOME_REJECTED
#include <cuda_runtime.h>

extern "C" cudaError_t cudaLaunchKernel(const void*, dim3, dim3, void**, size_t, cudaStream_t) { return cudaSuccess; }

__global__ void add_scaled(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

extern "C" void saxpy(int n, float a, const float* x, float* y) {
  void* arguments[] = {&n, &a, &x, &y};
  cudaLaunchKernel(reinterpret_cast<const void*>(add_scaled), dim3((n + 255) / 256), dim3(256), arguments, 0, nullptr);
}
