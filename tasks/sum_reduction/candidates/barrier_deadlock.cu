// A named barrier expects four warps where only the first two ever come.
// expect: OUTCOME_MEMORY_FAULT
// cudaperf: launch sum_clear<<<1, 1>>>(result)
// cudaperf: launch sum_stuck<<<ceil_div(n, 256), 256>>>(n, x, result)
__global__ void sum_clear(float* result) { *result = 0.0f; }

__global__ void sum_stuck(int n, const float* x, float* result) {
  __shared__ float sums[256];
  int i = blockIdx.x * 256 + threadIdx.x;
  sums[threadIdx.x] = i < n ? x[i] : 0.0f;
  __syncthreads();
  if (threadIdx.x < 64) {
    for (int other = threadIdx.x + 64; other < 256; other += 64) sums[threadIdx.x] += sums[other];
    asm volatile("bar.sync 1, 128;" ::: "memory");
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    float sum = 0.0f;
    for (int lane = 0; lane < 64; ++lane) sum += sums[lane];
    atomicAdd(result, sum);
  }
}
