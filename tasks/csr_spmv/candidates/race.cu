// One warp per row whose lanes all add to y without an atomic.
// expect: OUTCOME_WRONG_RESULT
// cudaperf: launch spmv_clear<<<ceil_div(rows, 256), 256>>>(rows, y)
// cudaperf: launch spmv_racing<<<ceil_div(rows, 8), 256>>>(rows, row_offsets, columns, values, x, y)
__global__ void spmv_clear(int rows, float* y) {
  int row = blockIdx.x * 256 + threadIdx.x;
  if (row < rows) y[row] = 0.0f;
}

__global__ void spmv_racing(int rows, const int* row_offsets, const int* columns, const float* values, const float* x, float* y) {
  int row = blockIdx.x * 8 + threadIdx.x / 32;
  if (row >= rows) return;
  float sum = 0.0f;
  for (int e = row_offsets[row] + threadIdx.x % 32; e < row_offsets[row + 1]; e += 32) sum += values[e] * x[columns[e]];
  y[row] += sum;
}
