// Misspells a parameter and forgets a semicolon.
// expect: OUTCOME_COMPILE_FAILED
// cudaperf: launch transpose_typo<<<(ceil_div(cols, 32), ceil_div(rows, 8)), (32, 8)>>>(rows, cols, in, out)
__global__ void transpose_typo(int rows, int cols, const int* in, int* out) {
  int column = blockIdx.x * blockDim.x + threadIdx.x
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < rows && column < cols) out[column * rows + row] = input[row * cols + column];
}
