// Tiles of 32 x 32 in shared memory without padding: columns of the tile lie in one bank.
// expect: OUTCOME_PASSED
// cudaperf: launch transpose_unpadded<<<(ceil_div(cols, 32), ceil_div(rows, 32)), (32, 8)>>>(rows, cols, in, out)
__global__ void __launch_bounds__(256)
transpose_unpadded(int rows, int cols, const int* __restrict__ in, int* __restrict__ out) {
  __shared__ int tile[32][32];
  const int column = blockIdx.x * 32 + threadIdx.x;
  const int row = blockIdx.y * 32 + threadIdx.y;
#pragma unroll
  for (int i = 0; i < 32; i += 8) {
    if (row + i < rows && column < cols) tile[threadIdx.y + i][threadIdx.x] = in[(row + i) * cols + column];
  }
  __syncthreads();
  const int out_column = blockIdx.y * 32 + threadIdx.x;
  const int out_row = blockIdx.x * 32 + threadIdx.y;
#pragma unroll
  for (int i = 0; i < 32; i += 8) {
    if (out_row + i < cols && out_column < rows) out[(out_row + i) * rows + out_column] = tile[threadIdx.x][threadIdx.y + i];
  }
}
