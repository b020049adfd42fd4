// Host function: scans blocks, then calls itself on the blocks' sums, with memory from cudaMallocAsync.
// expect: OUTCOME_PASSED
#include <cuda_runtime.h>

static constexpr int kBlock = 512;

__global__ void scan_block(int n, const int* in, int* out, int* sums) {
  __shared__ int warps[kBlock / 32];
  const int i = blockIdx.x * kBlock + threadIdx.x;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  int value = i < n ? in[i] : 0;
  for (int distance = 1; distance < 32; distance *= 2) {
    const int left = __shfl_up_sync(0xffffffffu, value, distance);
    if (lane >= distance) value += left;
  }
  if (lane == 31) warps[warp] = value;
  __syncthreads();
  for (int other = 0; other < warp; ++other) value += warps[other];
  if (i < n) out[i] = value;
  if (threadIdx.x == kBlock - 1) sums[blockIdx.x] = value;
}

__global__ void add_sums(int n, int* out, const int* sums) {
  const int i = (blockIdx.x + 1) * kBlock + threadIdx.x;
  if (i < n) out[i] += sums[blockIdx.x];
}

static void scan(int n, const int* in, int* out) {
  const int blocks = (n + kBlock - 1) / kBlock;
  int* sums = nullptr;
  if (cudaMallocAsync(&sums, blocks * sizeof(int), 0) != cudaSuccess) return;
  scan_block<<<blocks, kBlock>>>(n, in, out, sums);
  if (blocks > 1) {
    scan(blocks, sums, sums);
    add_sums<<<blocks - 1, kBlock>>>(n, out, sums);
  }
  cudaFreeAsync(sums, 0);
}

extern "C" void inclusive_scan(int n, const int* in, int* out) {
  if (n > 0) scan(n, in, out);
}
