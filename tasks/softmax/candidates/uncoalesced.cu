// One thread per row: lanes are a whole row apart.
// expect: OUTCOME_PASSED
// cudaperf: launch softmax_threads<<<ceil_div(rows, 64), 64>>>(rows, cols, in, out)
__global__ void softmax_threads(int rows, int cols, const float* in, float* out) {
  int row = blockIdx.x * 64 + threadIdx.x;
  if (row >= rows) return;
  const float* x = in + static_cast<long long>(row) * cols;
  float* y = out + static_cast<long long>(row) * cols;
  float largest = x[0], sum = 0.0f;
  for (int c = 1; c < cols; ++c) largest = fmaxf(largest, x[c]);
  for (int c = 0; c < cols; ++c) sum += expf(x[c] - largest);
  for (int c = 0; c < cols; ++c) y[c] = expf(x[c] - largest) / sum;
}
