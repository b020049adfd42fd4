// One element per thread: loads along rows, stores down columns.
// cudaperf: launch transpose_naive<<<(ceil_div(cols, 32), ceil_div(rows, 8)), (32, 8)>>>(rows, cols, in, out)
__global__ void transpose_naive(int rows, int cols, const int* in, int* out) {
  int column = blockIdx.x * 32 + threadIdx.x;
  int row = blockIdx.y * 8 + threadIdx.y;
  if (row < rows && column < cols) out[column * rows + row] = in[row * cols + column];
}
