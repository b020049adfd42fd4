// The block that finishes last adds up the partial sums; a ticket behind a fence tells it.
// expect: OUTCOME_PASSED
// cudaperf: scratch float partial[min(ceil_div(n, 1024), 1056)]
// cudaperf: scratch int ticket[1]
// cudaperf: launch sum_open<<<1, 1>>>(ticket)
// cudaperf: launch sum_ticket<<<min(ceil_div(n, 1024), 1056), 256>>>(n, x, result, partial, ticket)
__global__ void sum_open(int* ticket) { *ticket = 0; }

__device__ float sum_of_block(float value) {
  __shared__ float sums[8];
  for (int distance = 16; distance > 0; distance /= 2) value += __shfl_xor_sync(0xffffffffu, value, distance);
  __syncthreads();
  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = value;
  __syncthreads();
  value = 0.0f;
  for (int warp = 0; warp < 8; ++warp) value += sums[warp];
  return value;
}

__global__ void sum_ticket(int n, const float* x, float* result, float* partial, int* ticket) {
  __shared__ bool last;
  float sum = 0.0f;
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) sum += x[i];
  sum = sum_of_block(sum);
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = sum;
    __threadfence();
    last = atomicAdd(ticket, 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last) return;
  sum = 0.0f;
  for (int i = threadIdx.x; i < gridDim.x; i += 256) sum += static_cast<volatile float*>(partial)[i];
  sum = sum_of_block(sum);
  if (threadIdx.x == 0) *result = sum;
}
