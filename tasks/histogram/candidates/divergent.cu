// Compare-and-swap loops instead of atomic additions: lanes that meet in a bin try again and again.
// expect: OUTCOME_PASSED
// cudaperf: launch histogram_clear<<<1, 256>>>(counts)
// cudaperf: launch histogram_retry<<<min(ceil_div(n, 1024), 2048), 256>>>(n, values, counts)
__global__ void histogram_clear(int* counts) { counts[threadIdx.x] = 0; }

__global__ void histogram_retry(int n, const unsigned char* values, int* counts) {
  __shared__ int bins[256];
  bins[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) {
    int* bin = &bins[values[i]];
    int seen = *static_cast<volatile int*>(bin);
    for (;;) {
      int before = atomicCAS(bin, seen, seen + 1);
      if (before == seen) break;
      seen = before;
    }
  }
  __syncthreads();
  atomicAdd(&counts[threadIdx.x], bins[threadIdx.x]);
}
