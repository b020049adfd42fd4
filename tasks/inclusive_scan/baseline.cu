// Hillis and Steele's scan per block, one block over the blocks' sums, a third kernel adds them.
// cudaperf: scratch int sums[ceil_div(n, 256)]
// cudaperf: launch scan_blocks<<<ceil_div(n, 256), 256>>>(n, in, out, sums)
// cudaperf: launch scan_sums<<<1, 1024>>>(ceil_div(n, 256), sums)
// cudaperf: launch scan_add<<<ceil_div(n, 256), 256>>>(n, out, sums)
__global__ void scan_blocks(int n, const int* in, int* out, int* sums) {
  __shared__ int values[256];
  int i = blockIdx.x * 256 + threadIdx.x;
  values[threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
  for (int distance = 1; distance < 256; distance *= 2) {
    int left = threadIdx.x >= distance ? values[threadIdx.x - distance] : 0;
    __syncthreads();
    values[threadIdx.x] += left;
    __syncthreads();
  }
  if (i < n) out[i] = values[threadIdx.x];
  if (threadIdx.x == 255) sums[blockIdx.x] = values[255];
}

__global__ void scan_sums(int count, int* sums) {
  __shared__ int values[1024];
  int carry = 0;
  for (int first = 0; first < count; first += 1024) {
    int i = first + threadIdx.x;
    values[threadIdx.x] = i < count ? sums[i] : 0;
    __syncthreads();
    for (int distance = 1; distance < 1024; distance *= 2) {
      int left = threadIdx.x >= distance ? values[threadIdx.x - distance] : 0;
      __syncthreads();
      values[threadIdx.x] += left;
      __syncthreads();
    }
    if (i < count) sums[i] = carry + values[threadIdx.x];
    carry += values[1023];
    __syncthreads();
  }
}

__global__ void scan_add(int n, int* out, const int* sums) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (blockIdx.x > 0 && i < n) out[i] += sums[blockIdx.x - 1];
}
