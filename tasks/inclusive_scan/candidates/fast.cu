// Reduce, scan, scan again: eight elements per thread in registers, shuffles, tiles of 2048; the input is read twice, the output written once.
// expect: OUTCOME_PASSED
// cudaperf: scratch int sums[ceil_div(n, 2048)]
// cudaperf: launch scan_reduce<<<ceil_div(n, 2048), 256>>>(n, in, sums)
// cudaperf: launch scan_sums<<<1, 1024>>>(ceil_div(n, 2048), sums)
// cudaperf: launch scan_tiles<<<ceil_div(n, 2048), 256>>>(n, in, sums, out)
__device__ __forceinline__ int scan_of_warp(int value, int lane) {
#pragma unroll
  for (int distance = 1; distance < 32; distance *= 2) {
    const int left = __shfl_up_sync(0xffffffffu, value, distance);
    if (lane >= distance) value += left;
  }
  return value;
}

// Inclusive scan over a block; `total` is the block's sum.
__device__ __forceinline__ int scan_of_block(int value, int warp_count, int* shared, int* total) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  value = scan_of_warp(value, lane);
  if (lane == 31) shared[warp] = value;
  __syncthreads();
  if (warp == 0) shared[lane] = scan_of_warp(lane < warp_count ? shared[lane] : 0, lane);
  __syncthreads();
  *total = shared[31];
  return warp > 0 ? value + shared[warp - 1] : value;
}

__global__ void __launch_bounds__(256) scan_reduce(int n, const int* __restrict__ in, int* __restrict__ sums) {
  __shared__ int shared[8];
  const int first = blockIdx.x * 2048;
  int sum = 0;
#pragma unroll
  for (int part = 0; part < 8; ++part) {
    const int i = first + part * 256 + threadIdx.x;
    if (i < n) sum += in[i];
  }
#pragma unroll
  for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, distance);
  if (threadIdx.x % 32 == 0) shared[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (int warp = 1; warp < 8; ++warp) sum += shared[warp];
  sums[blockIdx.x] = sum;
}

__global__ void __launch_bounds__(1024) scan_sums(int count, int* sums) {
  __shared__ int shared[32];
  int carry = 0;
  for (int first = 0; first < count; first += 1024) {
    const int i = first + threadIdx.x;
    int total;
    const int value = scan_of_block(i < count ? sums[i] : 0, 32, shared, &total);
    if (i < count) sums[i] = carry + value;
    carry += total;
    __syncthreads();
  }
}

__global__ void __launch_bounds__(256)
scan_tiles(int n, const int* __restrict__ in, const int* __restrict__ sums, int* __restrict__ out) {
  __shared__ int tile[2048 + 64];
  __shared__ int shared[32];
  const int first = blockIdx.x * 2048;
#pragma unroll
  for (int part = 0; part < 8; ++part) {
    const int slot = part * 256 + threadIdx.x;
    tile[slot + slot / 32] = first + slot < n ? in[first + slot] : 0;
  }
  __syncthreads();
  int values[8];
  int sum = 0;
#pragma unroll
  for (int k = 0; k < 8; ++k) {
    const int slot = threadIdx.x * 8 + k;
    sum += tile[slot + slot / 32];
    values[k] = sum;
  }
  int total;
  int before = scan_of_block(sum, 8, shared, &total) - sum;
  if (blockIdx.x > 0) before += sums[blockIdx.x - 1];
#pragma unroll
  for (int k = 0; k < 8; ++k) {
    const int slot = threadIdx.x * 8 + k;
    tile[slot + slot / 32] = before + values[k];
  }
  __syncthreads();
#pragma unroll
  for (int part = 0; part < 8; ++part) {
    const int slot = part * 256 + threadIdx.x;
    if (first + slot < n) out[first + slot] = tile[slot + slot / 32];
  }
}
