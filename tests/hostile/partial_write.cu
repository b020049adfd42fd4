// what: writes the first half and hopes that the rest is there from before
// task: transpose
// expect: OUTCOME_WRONG_RESULT
// cudaperf: launch half_done<<<(ceil_div(cols, 32), ceil_div(rows, 8)), (32, 8)>>>(rows, cols, in, out)
__global__ void half_done(int rows, int cols, const int* in, int* out) {
  int column = blockIdx.x * 32 + threadIdx.x;
  int row = blockIdx.y * 8 + threadIdx.y;
  int target = column * rows + row;
  if (row < rows && column < cols && target < (rows * cols + 1) / 2) out[target] = in[row * cols + column];
}
