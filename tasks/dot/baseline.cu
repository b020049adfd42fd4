// Tree reduction in shared memory per block, then one block over the partial sums.
// cudaperf: scratch double partial[min(ceil_div(n, 256), 1024)]
// cudaperf: launch dot_blocks<<<min(ceil_div(n, 256), 1024), 256>>>(n, x, y, partial)
// cudaperf: launch dot_finish<<<1, 256>>>(min(ceil_div(n, 256), 1024), partial, result)
__device__ double sum_of_block(double value) {
  __shared__ double sums[256];
  sums[threadIdx.x] = value;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    __syncthreads();
  }
  return sums[0];
}

__global__ void dot_blocks(int n, const double* x, const double* y, double* partial) {
  double sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += x[i] * y[i];
  sum = sum_of_block(sum);
  if (threadIdx.x == 0) partial[blockIdx.x] = sum;
}

__global__ void dot_finish(int count, const double* partial, double* result) {
  double sum = 0;
  for (int i = threadIdx.x; i < count; i += blockDim.x) sum += partial[i];
  sum = sum_of_block(sum);
  if (threadIdx.x == 0) *result = sum;
}
