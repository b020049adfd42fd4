// Eight lanes per row: neighbouring lanes load neighbouring elements, sums meet by shuffles.
// expect: OUTCOME_PASSED
// cudaperf: launch spmv_vector<<<ceil_div(rows, 32), 256>>>(rows, row_offsets, columns, values, x, y)
__global__ void __launch_bounds__(256)
spmv_vector(int rows, const int* __restrict__ row_offsets, const int* __restrict__ columns,
            const float* __restrict__ values, const float* __restrict__ x, float* __restrict__ y) {
  const int row = (blockIdx.x * 256 + threadIdx.x) / 8;
  const int lane = threadIdx.x % 8;
  float sum = 0.0f;
  if (row < rows) {
    const int end = row_offsets[row + 1];
    for (int e = row_offsets[row] + lane; e < end; e += 8) sum = fmaf(values[e], x[columns[e]], sum);
  }
#pragma unroll
  for (int distance = 4; distance > 0; distance /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, distance);
  if (row < rows && lane == 0) y[row] = sum;
}
