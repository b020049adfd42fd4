// Increments without atomics: lanes that meet in a bin lose counts.
// expect: OUTCOME_WRONG_RESULT
// cudaperf: launch histogram_clear<<<1, 256>>>(counts)
// cudaperf: launch histogram_racing<<<ceil_div(n, 256), 256>>>(n, values, counts)
__global__ void histogram_clear(int* counts) { counts[threadIdx.x] = 0; }

__global__ void histogram_racing(int n, const unsigned char* values, int* counts) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) counts[values[i]] += 1;
}
