// Host function: memset, then a kernel whose warps count together what is equal before they go to shared memory.
// expect: OUTCOME_PASSED
#include <cuda_runtime.h>

__global__ void histogram_kernel(int n, const unsigned char* __restrict__ values, int* counts) {
  __shared__ int bins[256];
  bins[threadIdx.x] = 0;
  __syncthreads();
  const int step = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) {
    const unsigned active = __activemask();
    const int value = values[i];
    const unsigned peers = __match_any_sync(active, value);
    if (__ffs(peers) - 1 == static_cast<int>(threadIdx.x % 32)) atomicAdd(&bins[value], __popc(peers));
  }
  __syncthreads();
  if (bins[threadIdx.x] != 0) atomicAdd(&counts[threadIdx.x], bins[threadIdx.x]);
}

extern "C" void histogram(int n, const unsigned char* values, int* counts) {
  cudaMemsetAsync(counts, 0, 256 * sizeof(int));
  if (n <= 0) return;
  const int blocks = (n + 4095) / 4096;
  histogram_kernel<<<blocks < 1056 ? blocks : 1056, 256>>>(n, values, counts);
}
