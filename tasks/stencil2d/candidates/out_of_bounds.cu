// Treats the boundary like the inside: the first row reads the row before the grid.
// expect: OUTCOME_MEMORY_FAULT
// cudaperf: launch stencil_everywhere<<<(ceil_div(cols, 16), ceil_div(rows, 16)), (16, 16)>>>(rows, cols, in, out)
__global__ void stencil_everywhere(int rows, int cols, const float* in, float* out) {
  int c = blockIdx.x * 16 + threadIdx.x;
  int r = blockIdx.y * 16 + threadIdx.y;
  if (r >= rows || c >= cols) return;
  int i = r * cols + c;
  out[i] = 0.5f * in[i] + 0.125f * (in[i - cols] + in[i + cols] + in[i - 1] + in[i + 1]);
}
