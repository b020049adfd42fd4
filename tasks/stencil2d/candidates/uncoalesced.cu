// Neighbouring lanes on neighbouring rows: every access is a column of the grid.
// expect: OUTCOME_PASSED
// cudaperf: launch stencil_columns<<<(ceil_div(rows, 64), cols), 64>>>(rows, cols, in, out)
__global__ void stencil_columns(int rows, int cols, const float* in, float* out) {
  int r = blockIdx.x * 64 + threadIdx.x;
  int c = blockIdx.y;
  if (r >= rows) return;
  int i = r * cols + c;
  if (r == 0 || c == 0 || r == rows - 1 || c == cols - 1) {
    out[i] = in[i];
  } else {
    out[i] = 0.5f * in[i] + 0.125f * (in[i - cols] + in[i + cols] + in[i - 1] + in[i + 1]);
  }
}
