// Writes zeros to the boundary instead of copying it.
// expect: OUTCOME_WRONG_RESULT
// cudaperf: launch stencil_zeroed<<<(ceil_div(cols, 16), ceil_div(rows, 16)), (16, 16)>>>(rows, cols, in, out)
__global__ void stencil_zeroed(int rows, int cols, const float* in, float* out) {
  int c = blockIdx.x * 16 + threadIdx.x;
  int r = blockIdx.y * 16 + threadIdx.y;
  if (r >= rows || c >= cols) return;
  int i = r * cols + c;
  if (r == 0 || c == 0 || r == rows - 1 || c == cols - 1) {
    out[i] = 0.0f;
  } else {
    out[i] = 0.5f * in[i] + 0.125f * (in[i - cols] + in[i + cols] + in[i - 1] + in[i + 1]);
  }
}
