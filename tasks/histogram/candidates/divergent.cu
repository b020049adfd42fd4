// Compare-and-swap loops instead of atomic additions: lanes that meet in a bin try again and again.
// expect: OUTCOME_PASSED
// cudaperf: launch histogram_clear<<<1, 256>>>(counts)
// cudaperf: launch histogram_retry<<<min(ceil_div(n, 256), 512), 256>>>(n, values, counts)
__global__ void histogram_clear(int* counts) { counts[threadIdx.x] = 0; }

__global__ void histogram_retry(int n, const unsigned char* values, int* counts) {
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) {
    int* bin = &counts[values[i]];
    int seen = *static_cast<volatile int*>(bin);
    for (;;) {
      int before = atomicCAS(bin, seen, seen + 1);
      if (before == seen) break;
      seen = before;
    }
  }
}
