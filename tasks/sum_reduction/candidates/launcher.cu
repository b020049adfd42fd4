// Host function with a temporary of its own: partial sums in device memory, two launches.
// expect: OUTCOME_PASSED
#include <cuda_runtime.h>

template <int kThreads>
__global__ void sum_kernel(int n, const float* __restrict__ x, float* __restrict__ sums) {
  __shared__ float shared[kThreads / 32];
  float sum = 0.0f;
  for (int i = blockIdx.x * kThreads + threadIdx.x; i < n; i += gridDim.x * kThreads) sum += x[i];
  for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, distance);
  if (threadIdx.x % 32 == 0) shared[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (int warp = 1; warp < kThreads / 32; ++warp) sum += shared[warp];
  sums[blockIdx.x] = sum;
}

extern "C" void sum_reduction(int n, const float* x, float* result) {
  if (n <= 0) {
    cudaMemset(result, 0, sizeof(float));
    return;
  }
  int blocks = (n + 1023) / 1024 < 2112 ? (n + 1023) / 1024 : 2112;
  float* partial = nullptr;
  if (cudaMalloc(&partial, blocks * sizeof(float)) != cudaSuccess) return;
  sum_kernel<256><<<blocks, 256>>>(n, x, partial);
  sum_kernel<512><<<1, 512>>>(blocks, partial, result);
  cudaFree(partial);
}
