// The tree reduction has no barrier before its first step: a warp reads sums that others have not stored yet.
// expect: OUTCOME_WRONG_RESULT
// cudaperf: scratch double partial[ceil_div(n, 256)]
// cudaperf: launch dot_hasty<<<ceil_div(n, 256), 256>>>(n, x, y, partial)
// cudaperf: launch dot_serial<<<1, 1>>>(ceil_div(n, 256), partial, result)
__global__ void dot_hasty(int n, const double* x, const double* y, double* partial) {
  __shared__ double sums[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  sums[threadIdx.x] = i < n ? x[i] * y[i] : 0;
  for (int half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = sums[0];
}

__global__ void dot_serial(int count, const double* partial, double* result) {
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += partial[i];
  *result = sum;
}
