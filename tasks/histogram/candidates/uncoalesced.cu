// Each thread counts 128 neighbouring bytes one by one: lanes are 128 bytes apart.
// expect: OUTCOME_PASSED
// cudaperf: launch histogram_clear<<<1, 256>>>(counts)
// cudaperf: launch histogram_runs<<<ceil_div(n, 256 * 128), 256>>>(n, values, counts)
__global__ void histogram_clear(int* counts) { counts[threadIdx.x] = 0; }

__global__ void histogram_runs(int n, const unsigned char* values, int* counts) {
  __shared__ int bins[256];
  bins[threadIdx.x] = 0;
  __syncthreads();
  int begin = (blockIdx.x * 256 + threadIdx.x) * 128;
  for (int i = begin; i < begin + 128 && i < n; ++i) atomicAdd(&bins[values[i]], 1);
  __syncthreads();
  atomicAdd(&counts[threadIdx.x], bins[threadIdx.x]);
}
