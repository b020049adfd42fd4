// Adds the four neighbours in a loop whose order of branches depends on the lane.
// expect: OUTCOME_PASSED
// cudaperf: launch stencil_branches<<<(ceil_div(cols, 16), ceil_div(rows, 16)), (16, 16)>>>(rows, cols, in, out)
__global__ void stencil_branches(int rows, int cols, const float* in, float* out) {
  int c = blockIdx.x * 16 + threadIdx.x;
  int r = blockIdx.y * 16 + threadIdx.y;
  if (r >= rows || c >= cols) return;
  int i = r * cols + c;
  if (r == 0 || c == 0 || r == rows - 1 || c == cols - 1) {
    out[i] = in[i];
    return;
  }
  float sum = 0.0f;
#pragma unroll 1
  for (int turn = 0; turn < 4; ++turn) {
    switch ((turn + c) % 4) {
      case 0: sum += static_cast<const volatile float*>(in)[i - cols]; break;
      case 1: sum += static_cast<const volatile float*>(in)[i + cols]; break;
      case 2: sum += static_cast<const volatile float*>(in)[i - 1]; break;
      default: sum += static_cast<const volatile float*>(in)[i + 1]; break;
    }
  }
  out[i] = 0.5f * in[i] + 0.125f * sum;
}
