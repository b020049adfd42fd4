// The loop includes n itself.
// expect: OUTCOME_MEMORY_FAULT
// cudaperf: launch dot_inclusive<<<1, 256>>>(n, x, y, result)
__global__ void dot_inclusive(int n, const double* x, const double* y, double* result) {
  __shared__ double sums[256];
  double sum = 0;
  for (int i = threadIdx.x; i <= n; i += 256) sum += x[i] * y[i];
  sums[threadIdx.x] = sum;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) *result = sums[0];
}
