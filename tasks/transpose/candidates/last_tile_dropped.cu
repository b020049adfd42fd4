// Rounds the number of tiles down (one at least): the right and lower edges stay untouched.
// expect: OUTCOME_WRONG_RESULT
// cudaperf: launch transpose_floor<<<(max(1, cols / 32), max(1, rows / 8)), (32, 8)>>>(rows, cols, in, out)
__global__ void transpose_floor(int rows, int cols, const int* in, int* out) {
  int column = blockIdx.x * 32 + threadIdx.x;
  int row = blockIdx.y * 8 + threadIdx.y;
  if (row < rows && column < cols) out[column * rows + row] = in[row * cols + column];
}
