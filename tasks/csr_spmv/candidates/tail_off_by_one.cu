// Stops before the last element of each row.
// expect: OUTCOME_WRONG_RESULT
// cudaperf: launch spmv_short<<<ceil_div(rows, 256), 256>>>(rows, row_offsets, columns, values, x, y)
__global__ void spmv_short(int rows, const int* row_offsets, const int* columns, const float* values, const float* x, float* y) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0.0f;
  for (int e = row_offsets[row]; e < row_offsets[row + 1] - 1; ++e) sum += values[e] * x[columns[e]];
  y[row] = sum;
}
