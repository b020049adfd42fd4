// Host function: clears the result with a memset, then one kernel with one atomic per block.
// expect: OUTCOME_PASSED
#include <cuda_runtime.h>

__global__ void dot_kernel(int n, const double* __restrict__ x, const double* __restrict__ y, double* result) {
  __shared__ double sums[8];
  double sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum = fma(x[i], y[i], sum);
  for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, distance);
  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int warp = 1; warp < 8; ++warp) sum += sums[warp];
    atomicAdd(result, sum);
  }
}

extern "C" void dot(int n, const double* x, const double* y, double* result) {
  cudaMemsetAsync(result, 0, sizeof(double));
  if (n <= 0) return;
  int blocks = (n + 1023) / 1024;
  dot_kernel<<<blocks < 1056 ? blocks : 1056, 256>>>(n, x, y, result);
}
