// Interleaved tree: the modulo keeps ever fewer lanes of every warp busy.
// expect: OUTCOME_PASSED
// cudaperf: scratch double partial[ceil_div(n, 256)]
// cudaperf: launch dot_interleaved<<<ceil_div(n, 256), 256>>>(n, x, y, partial)
// cudaperf: launch dot_serial<<<1, 1>>>(ceil_div(n, 256), partial, result)
__global__ void dot_interleaved(int n, const double* x, const double* y, double* partial) {
  __shared__ double sums[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  sums[threadIdx.x] = i < n ? x[i] * y[i] : 0;
  __syncthreads();
  for (int step = 1; step < 256; step *= 2) {
    if (threadIdx.x % (2 * step) == 0) sums[threadIdx.x] += sums[threadIdx.x + step];
    __syncthreads();
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = sums[0];
}

__global__ void dot_serial(int count, const double* partial, double* result) {
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += partial[i];
  *result = sum;
}
