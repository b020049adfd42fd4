// Pairs of counts per bin: twice as many as there is room for.
// expect: OUTCOME_MEMORY_FAULT
// cudaperf: launch histogram_wide<<<ceil_div(n, 256), 256>>>(n, values, counts)
__global__ void histogram_wide(int n, const unsigned char* values, int* counts) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) atomicAdd(&counts[2 * values[i] + 1], 1);
}
