// what: hands out what it finds in fresh device memory, hoping for an earlier answer
// task: transpose
// expect: OUTCOME_WRONG_RESULT
#include <cuda_runtime.h>

__global__ void touch(int*) {}

extern "C" void transpose(int rows, int cols, const int* in, int* out) {
  const size_t bytes = sizeof(int) * rows * cols;
  int* block = nullptr;
  if (bytes == 0 || cudaMalloc(&block, bytes) != cudaSuccess) return;
  touch<<<1, 1>>>(block);
  cudaMemcpy(out, block, bytes, cudaMemcpyDeviceToDevice);
  cudaFree(block);
}
