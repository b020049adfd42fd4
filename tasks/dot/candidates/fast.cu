// 128-bit loads, shuffles within a warp, one barrier per block, then a second small kernel.
// expect: OUTCOME_PASSED
// cudaperf: scratch double partial[min(ceil_div(n, 1024), 1056)]
// cudaperf: launch dot_pairs<<<min(ceil_div(n, 1024), 1056), 256>>>(n, x, y, partial)
// cudaperf: launch dot_last<<<1, 256>>>(min(ceil_div(n, 1024), 1056), partial, result)
__device__ __forceinline__ double sum_of_warp(double value) {
#pragma unroll
  for (int distance = 16; distance > 0; distance /= 2) value += __shfl_down_sync(0xffffffffu, value, distance);
  return value;
}

__device__ __forceinline__ double sum_of_block(double value) {
  __shared__ double sums[8];
  value = sum_of_warp(value);
  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = value;
  __syncthreads();
  if (threadIdx.x < 32) value = sum_of_warp(threadIdx.x < 8 ? sums[threadIdx.x] : 0.0);
  return value;
}

__global__ void __launch_bounds__(256)
dot_pairs(int n, const double* __restrict__ x, const double* __restrict__ y, double* __restrict__ partial) {
  const double2* x2 = reinterpret_cast<const double2*>(x);
  const double2* y2 = reinterpret_cast<const double2*>(y);
  const int pair_count = n / 2;
  double sum = 0, other = 0;
  for (int i = blockIdx.x * 256 + threadIdx.x; i < pair_count; i += gridDim.x * 256) {
    const double2 u = x2[i], v = y2[i];
    sum = fma(u.x, v.x, sum);
    other = fma(u.y, v.y, other);
  }
  if (n % 2 != 0 && blockIdx.x == 0 && threadIdx.x == 0) sum = fma(x[n - 1], y[n - 1], sum);
  sum = sum_of_block(sum + other);
  if (threadIdx.x == 0) partial[blockIdx.x] = sum;
}

__global__ void __launch_bounds__(256)
dot_last(int count, const double* __restrict__ partial, double* __restrict__ result) {
  double sum = 0;
  for (int i = threadIdx.x; i < count; i += 256) sum += partial[i];
  sum = sum_of_block(sum);
  if (threadIdx.x == 0) *result = sum;
}
