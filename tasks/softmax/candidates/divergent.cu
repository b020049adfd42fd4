// One warp per row in one pass: a branch rescales the sum of the lanes that meet a new maximum.
// expect: OUTCOME_PASSED
// cudaperf: launch softmax_online<<<ceil_div(rows, 4), 128>>>(rows, cols, in, out)
#include <math_constants.h>

__global__ void softmax_online(int rows, int cols, const float* in, float* out) {
  const int row = blockIdx.x * 4 + threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  if (row >= rows) return;
  const float* x = in + static_cast<long long>(row) * cols;
  float* y = out + static_cast<long long>(row) * cols;
  float largest = -CUDART_INF_F, sum = 0.0f;
  for (int c = lane; c < cols; c += 32) {
    const float value = x[c];
    if (value > largest) {
      sum *= __expf(largest - value);
      largest = value;
    }
    sum += __expf(value - largest);
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    const float other_largest = __shfl_xor_sync(0xffffffffu, largest, distance);
    const float other_sum = __shfl_xor_sync(0xffffffffu, sum, distance);
    const float both = fmaxf(largest, other_largest);
    sum = (sum > 0.0f ? sum * __expf(largest - both) : 0.0f) + (other_sum > 0.0f ? other_sum * __expf(other_largest - both) : 0.0f);
    largest = both;
  }
  for (int c = lane; c < cols; c += 32) y[c] = __expf(x[c] - largest) / sum;
}
