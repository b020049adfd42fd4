// Uses the input's row length for the output too: right for square matrices alone.
// expect: OUTCOME_WRONG_RESULT
// cudaperf: launch transpose_square<<<(ceil_div(cols, 32), ceil_div(rows, 8)), (32, 8)>>>(rows, cols, in, out)
__global__ void transpose_square(int rows, int cols, const int* in, int* out) {
  int column = blockIdx.x * 32 + threadIdx.x;
  int row = blockIdx.y * 8 + threadIdx.y;
  int target = column * cols + row;
  if (row < rows && column < cols && target < rows * cols) out[target] = in[row * cols + column];
}
