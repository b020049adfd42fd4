// The textbook's tile with a halo in shared memory.
// expect: OUTCOME_PASSED
// cudaperf: launch stencil_tile<<<(ceil_div(cols, 32), ceil_div(rows, 8)), (32, 8)>>>(rows, cols, in, out)
__global__ void stencil_tile(int rows, int cols, const float* in, float* out) {
  __shared__ float tile[10][34];
  int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 8 + threadIdx.y;
  int tc = threadIdx.x + 1, tr = threadIdx.y + 1;
  int i = r * cols + c;
  bool inside = r < rows && c < cols;
  if (inside) {
    tile[tr][tc] = in[i];
    if (tr == 1 && r > 0) tile[0][tc] = in[i - cols];
    if (tr == 8 && r + 1 < rows) tile[9][tc] = in[i + cols];
    if (tc == 1 && c > 0) tile[tr][0] = in[i - 1];
    if (tc == 32 && c + 1 < cols) tile[tr][33] = in[i + 1];
  }
  __syncthreads();
  if (!inside) return;
  if (r == 0 || c == 0 || r == rows - 1 || c == cols - 1) {
    out[i] = tile[tr][tc];
  } else {
    out[i] = 0.5f * tile[tr][tc] + 0.125f * (tile[tr - 1][tc] + tile[tr + 1][tc] + tile[tr][tc - 1] + tile[tr][tc + 1]);
  }
}
