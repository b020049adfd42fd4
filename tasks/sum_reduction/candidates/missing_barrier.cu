// Warps leave their sums in shared memory and the first warp adds them up without waiting.
// expect: OUTCOME_WRONG_RESULT
// cudaperf: launch sum_clear<<<1, 1>>>(result)
// cudaperf: launch sum_hasty<<<ceil_div(n, 256), 256>>>(n, x, result)
__global__ void sum_clear(float* result) { *result = 0.0f; }

__global__ void sum_hasty(int n, const float* x, float* result) {
  __shared__ float sums[8];
  int i = blockIdx.x * 256 + threadIdx.x;
  float sum = i < n ? x[i] : 0.0f;
  for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_down_sync(0xffffffffu, sum, distance);
  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = sum;
  if (threadIdx.x == 0) {
    for (int warp = 1; warp < 8; ++warp) sum += sums[warp];
    atomicAdd(result, sum);
  }
}
