// Scans each block by itself and never adds the sums of the blocks before.
// expect: OUTCOME_WRONG_RESULT
// cudaperf: launch scan_islands<<<ceil_div(n, 256), 256>>>(n, in, out)
__global__ void scan_islands(int n, const int* in, int* out) {
  __shared__ int values[256];
  int i = blockIdx.x * 256 + threadIdx.x;
  values[threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
  for (int distance = 1; distance < 256; distance *= 2) {
    int left = threadIdx.x >= distance ? values[threadIdx.x - distance] : 0;
    __syncthreads();
    values[threadIdx.x] += left;
    __syncthreads();
  }
  if (i < n) out[i] = values[threadIdx.x];
}
