// No guard: the tiles at the edges run out of both matrices.
// expect: OUTCOME_MEMORY_FAULT
// cudaperf: launch transpose_unguarded<<<(ceil_div(cols, 32), ceil_div(rows, 8)), (32, 8)>>>(rows, cols, in, out)
__global__ void transpose_unguarded(int rows, int cols, const int* in, int* out) {
  int column = blockIdx.x * 32 + threadIdx.x;
  int row = blockIdx.y * 8 + threadIdx.y;
  out[column * rows + row] = in[row * cols + column];
}
