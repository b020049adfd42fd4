// Adds to counts that nobody set to zero.
// expect: OUTCOME_WRONG_RESULT
// cudaperf: launch histogram_uncleared<<<ceil_div(n, 256), 256>>>(n, values, counts)
__global__ void histogram_uncleared(int n, const unsigned char* values, int* counts) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) atomicAdd(&counts[values[i]], 1);
}
