// One global atomic per value: the whole grid meets in 256 words.
// expect: OUTCOME_PASSED
// cudaperf: launch histogram_clear<<<1, 256>>>(counts)
// cudaperf: launch histogram_global<<<min(ceil_div(n, 256), 8192), 256>>>(n, values, counts)
__global__ void histogram_clear(int* counts) { counts[threadIdx.x] = 0; }

__global__ void histogram_global(int n, const unsigned char* values, int* counts) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&counts[values[i]], 1);
}
