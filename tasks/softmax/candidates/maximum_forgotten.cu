// Does not take off the maximum: large inputs overflow.
// expect: OUTCOME_WRONG_RESULT
// cudaperf: launch softmax_plain<<<ceil_div(rows, 4), 128>>>(rows, cols, in, out)
__global__ void softmax_plain(int rows, int cols, const float* in, float* out) {
  int row = blockIdx.x * 4 + threadIdx.x / 32;
  int lane = threadIdx.x % 32;
  if (row >= rows) return;
  const float* x = in + static_cast<long long>(row) * cols;
  float sum = 0.0f;
  for (int c = lane; c < cols; c += 32) sum += expf(x[c]);
  for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, distance);
  for (int c = lane; c < cols; c += 32) out[static_cast<long long>(row) * cols + c] = expf(x[c]) / sum;
}
