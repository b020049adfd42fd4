// One element per thread, tree reduction in shared memory, one atomic per block.
// cudaperf: launch sum_clear<<<1, 1>>>(result)
// cudaperf: launch sum_blocks<<<min(ceil_div(n, 256), 4096), 256>>>(n, x, result)
__global__ void sum_clear(float* result) { *result = 0.0f; }

__global__ void sum_blocks(int n, const float* x, float* result) {
  __shared__ float sums[256];
  float sum = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += x[i];
  sums[threadIdx.x] = sum;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) atomicAdd(result, sums[0]);
}
