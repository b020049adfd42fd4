// Rounds the number of blocks down and keeps one at least: what is behind the last full block is lost.
// expect: OUTCOME_WRONG_RESULT
// cudaperf: launch sum_clear<<<1, 1>>>(result)
// cudaperf: launch sum_floor<<<max(1, n / 256), 256>>>(n, x, result)
__global__ void sum_clear(float* result) { *result = 0.0f; }

__global__ void sum_floor(int n, const float* x, float* result) {
  __shared__ float sums[256];
  int i = blockIdx.x * 256 + threadIdx.x;
  sums[threadIdx.x] = i < n ? x[i] : 0.0f;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) atomicAdd(result, sums[0]);
}
