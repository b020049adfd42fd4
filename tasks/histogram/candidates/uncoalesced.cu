// Each thread counts 128 neighbouring bytes one by one with global atomics.
// expect: OUTCOME_PASSED
// cudaperf: launch histogram_clear<<<1, 256>>>(counts)
// cudaperf: launch histogram_runs<<<ceil_div(n, 128 * 128), 128>>>(n, values, counts)
__global__ void histogram_clear(int* counts) { counts[threadIdx.x] = 0; }

__global__ void histogram_runs(int n, const unsigned char* values, int* counts) {
  int begin = (blockIdx.x * 128 + threadIdx.x) * 128;
  for (int i = begin; i < begin + 128 && i < n; ++i) atomicAdd(&counts[values[i]], 1);
}
