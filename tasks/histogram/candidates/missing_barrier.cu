// A warp that is late clears bins in shared memory in which others have counted already.
// expect: OUTCOME_WRONG_RESULT
// cudaperf: launch histogram_clear<<<1, 256>>>(counts)
// cudaperf: launch histogram_hasty<<<ceil_div(n, 1024), 256>>>(n, values, counts)
__global__ void histogram_clear(int* counts) { counts[threadIdx.x] = 0; }

__global__ void histogram_hasty(int n, const unsigned char* values, int* counts) {
  __shared__ int bins[256];
  bins[threadIdx.x] = 0;
  for (int i = blockIdx.x * 1024 + threadIdx.x; i < n && i < (blockIdx.x + 1) * 1024; i += 256) atomicAdd(&bins[values[i]], 1);
  __syncthreads();
  if (bins[threadIdx.x] > 0) atomicAdd(&counts[threadIdx.x], bins[threadIdx.x]);
}
