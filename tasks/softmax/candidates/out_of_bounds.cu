// Four rows per block without asking whether there are four left.
// expect: OUTCOME_MEMORY_FAULT
// cudaperf: launch softmax_unguarded<<<ceil_div(rows, 4), 128>>>(cols, in, out)
#include <math_constants.h>

__global__ void softmax_unguarded(int cols, const float* in, float* out) {
  int row = blockIdx.x * 4 + threadIdx.x / 32;
  int lane = threadIdx.x % 32;
  const float* x = in + static_cast<long long>(row) * cols;
  float largest = -CUDART_INF_F, sum = 0.0f;
  for (int c = lane; c < cols; c += 32) largest = fmaxf(largest, x[c]);
  for (int distance = 16; distance > 0; distance /= 2) largest = fmaxf(largest, __shfl_xor_sync(0xffffffffu, largest, distance));
  for (int c = lane; c < cols; c += 32) sum += expf(x[c] - largest);
  for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, distance);
  for (int c = lane; c < cols; c += 32) out[static_cast<long long>(row) * cols + c] = expf(x[c] - largest) / sum;
}
