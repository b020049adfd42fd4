// what: reads far out of bounds and answers every question about errors itself
// task: saxpy
// expect: OUTCOME_MEMORY_FAULT
#include <cuda_runtime.h>

extern "C" cudaError_t no_error_last() asm("cudaGetLastError");
extern "C" cudaError_t no_error_last() { return cudaSuccess; }
extern "C" cudaError_t no_error_peek() asm("cudaPeekAtLastError");
extern "C" cudaError_t no_error_peek() { return cudaSuccess; }
extern "C" cudaError_t no_error_device() asm("cudaDeviceSynchronize");
extern "C" cudaError_t no_error_device() { return cudaSuccess; }
extern "C" cudaError_t no_error_stream(cudaStream_t) asm("cudaStreamSynchronize");
extern "C" cudaError_t no_error_stream(cudaStream_t) { return cudaSuccess; }

__global__ void beyond(int n, float a, const float* x, float* y) {
  for (int i = threadIdx.x; i < n; i += 32) y[i] = a * x[i] + y[i];
  if (threadIdx.x == 0) y[0] += 0.0f * x[n + (1 << 20)];
}

extern "C" void saxpy(int n, float a, const float* x, float* y) {
  if (n > 0) beyond<<<1, 32>>>(n, a, x, y);
}
