// Accumulates in 32 bits what was asked for in 64.
// expect: OUTCOME_WRONG_RESULT
// cudaperf: launch dot_float<<<1, 32>>>(n, x, y, result)
__global__ void dot_float(int n, const double* x, const double* y, double* result) {
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += 32) sum += static_cast<float>(x[i]) * static_cast<float>(y[i]);
  for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_down_sync(0xffffffffu, sum, distance);
  if (threadIdx.x == 0) *result = sum;
}
