// Loads the neighbour half a block ahead without asking whether there is one.
// expect: OUTCOME_MEMORY_FAULT
// cudaperf: launch sum_clear<<<1, 1>>>(result)
// cudaperf: launch sum_ahead<<<ceil_div(n, 512), 256>>>(n, x, result)
__global__ void sum_clear(float* result) { *result = 0.0f; }

__global__ void sum_ahead(int n, const float* x, float* result) {
  __shared__ float sums[256];
  int i = blockIdx.x * 512 + threadIdx.x;
  sums[threadIdx.x] = i < n ? x[i] + x[i + 256] : 0.0f;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) atomicAdd(result, sums[0]);
}
