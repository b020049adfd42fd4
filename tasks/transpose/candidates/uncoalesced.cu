// One thread per row of the input: neighbouring lanes load a whole row apart.
// expect: OUTCOME_PASSED
// cudaperf: launch transpose_rows<<<ceil_div(rows, 64), 64>>>(rows, cols, in, out)
__global__ void transpose_rows(int rows, int cols, const int* in, int* out) {
  int row = blockIdx.x * 64 + threadIdx.x;
  if (row >= rows) return;
  for (int column = 0; column < cols; ++column) out[column * rows + row] = in[row * cols + column];
}
