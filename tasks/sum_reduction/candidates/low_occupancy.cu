// One block of one warp adds up everything.
// expect: OUTCOME_PASSED
// cudaperf: launch sum_alone<<<1, 32>>>(n, x, result)
__global__ void sum_alone(int n, const float* x, float* result) {
  float sum = 0.0f;
  for (int i = threadIdx.x; i < n; i += 32) sum += x[i];
  for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_down_sync(0xffffffffu, sum, distance);
  if (threadIdx.x == 0) *result = sum;
}
