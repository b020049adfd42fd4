// Tree with a growing stride in shared memory: 2, 4, 8 ... lanes meet in one bank.
// expect: OUTCOME_PASSED
// cudaperf: launch sum_clear<<<1, 1>>>(result)
// cudaperf: launch sum_strided<<<ceil_div(n, 1024), 1024>>>(n, x, result)
__global__ void sum_clear(float* result) { *result = 0.0f; }

__global__ void sum_strided(int n, const float* x, float* result) {
  __shared__ float sums[1024];
  int i = blockIdx.x * 1024 + threadIdx.x;
  sums[threadIdx.x] = i < n ? x[i] : 0.0f;
  __syncthreads();
  for (int step = 1; step < 1024; step *= 2) {
    int index = 2 * step * threadIdx.x;
    if (index < 1024) sums[index] += sums[index + step];
    __syncthreads();
  }
  if (threadIdx.x == 0) atomicAdd(result, sums[0]);
}
