// One block of 256 threads per row, however short the row is.
// expect: OUTCOME_PASSED
// cudaperf: launch spmv_blocks<<<rows, 256>>>(row_offsets, columns, values, x, y)
__global__ void spmv_blocks(const int* row_offsets, const int* columns, const float* values, const float* x, float* y) {
  __shared__ float sums[256];
  float sum = 0.0f;
  for (int e = row_offsets[blockIdx.x] + threadIdx.x; e < row_offsets[blockIdx.x + 1]; e += 256) sum += values[e] * x[columns[e]];
  sums[threadIdx.x] = sum;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) y[blockIdx.x] = sums[0];
}
