// Writes nothing for a row without elements.
// expect: OUTCOME_WRONG_RESULT
// cudaperf: launch spmv_skipping<<<ceil_div(rows, 256), 256>>>(rows, row_offsets, columns, values, x, y)
__global__ void spmv_skipping(int rows, const int* row_offsets, const int* columns, const float* values, const float* x, float* y) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows || row_offsets[row] == row_offsets[row + 1]) return;
  float sum = 0.0f;
  for (int e = row_offsets[row]; e < row_offsets[row + 1]; ++e) sum += values[e] * x[columns[e]];
  y[row] = sum;
}
