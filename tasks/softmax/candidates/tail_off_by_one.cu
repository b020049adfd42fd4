// Leaves the last column out of the sum.
// expect: OUTCOME_WRONG_RESULT
// cudaperf: launch softmax_short<<<ceil_div(rows, 4), 128>>>(rows, cols, in, out)
#include <math_constants.h>

__global__ void softmax_short(int rows, int cols, const float* in, float* out) {
  int row = blockIdx.x * 4 + threadIdx.x / 32;
  int lane = threadIdx.x % 32;
  if (row >= rows) return;
  const float* x = in + static_cast<long long>(row) * cols;
  float largest = -CUDART_INF_F, sum = 0.0f;
  for (int c = lane; c < cols; c += 32) largest = fmaxf(largest, x[c]);
  for (int distance = 16; distance > 0; distance /= 2) largest = fmaxf(largest, __shfl_xor_sync(0xffffffffu, largest, distance));
  for (int c = lane; c < cols - 1; c += 32) sum += expf(x[c] - largest);
  for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, distance);
  for (int c = lane; c < cols; c += 32) out[static_cast<long long>(row) * cols + c] = expf(x[c] - largest) / sum;
}
