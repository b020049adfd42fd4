// One point per thread in 16 x 16 blocks, neighbours from global memory.
// cudaperf: launch stencil_naive<<<(ceil_div(cols, 16), ceil_div(rows, 16)), (16, 16)>>>(rows, cols, in, out)
__global__ void stencil_naive(int rows, int cols, const float* in, float* out) {
  int c = blockIdx.x * 16 + threadIdx.x;
  int r = blockIdx.y * 16 + threadIdx.y;
  if (r >= rows || c >= cols) return;
  int i = r * cols + c;
  if (r == 0 || c == 0 || r == rows - 1 || c == cols - 1) {
    out[i] = in[i];
  } else {
    out[i] = 0.5f * in[i] + 0.125f * (in[i - cols] + in[i + cols] + in[i - 1] + in[i + 1]);
  }
}
