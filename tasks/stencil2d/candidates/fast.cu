// Each thread walks eight rows down with three values in registers; warps span 32 neighbouring columns.
// expect: OUTCOME_PASSED
// cudaperf: launch stencil_strips<<<(ceil_div(cols, 32), ceil_div(rows, 32)), (32, 4)>>>(rows, cols, in, out)
__global__ void __launch_bounds__(128)
stencil_strips(int rows, int cols, const float* __restrict__ in, float* __restrict__ out) {
  const int c = blockIdx.x * 32 + threadIdx.x;
  const int top = blockIdx.y * 32 + threadIdx.y * 8;
  if (c >= cols || top >= rows) return;
  const bool side = c == 0 || c == cols - 1;
  const int bottom = min(top + 8, rows);
  int i = top * cols + c;
  float above = top > 0 ? in[i - cols] : 0.0f;
  float here = in[i];
  for (int r = top; r < bottom; ++r, i += cols) {
    const float below = r + 1 < rows ? in[i + cols] : 0.0f;
    if (side || r == 0 || r == rows - 1) {
      out[i] = here;
    } else {
      out[i] = fmaf(0.125f, (above + below) + (in[i - 1] + in[i + 1]), 0.5f * here);
    }
    above = here;
    here = below;
  }
}
