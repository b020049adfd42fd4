// Keeps each row in shared memory, but asks for 44 KiB whatever its length, with one warp per block.
// expect: OUTCOME_PASSED
// cudaperf: launch softmax_hoarder<<<rows, 32, 45056>>>(rows, cols, in, out)
#include <math_constants.h>

__global__ void softmax_hoarder(int rows, int cols, const float* in, float* out) {
  extern __shared__ float kept[];
  const float* x = in + static_cast<long long>(blockIdx.x) * cols;
  float* y = out + static_cast<long long>(blockIdx.x) * cols;
  float largest = -CUDART_INF_F, sum = 0.0f;
  for (int c = threadIdx.x; c < cols; c += 32) {
    kept[c] = x[c];
    largest = fmaxf(largest, kept[c]);
  }
  for (int distance = 16; distance > 0; distance /= 2) largest = fmaxf(largest, __shfl_xor_sync(0xffffffffu, largest, distance));
  for (int c = threadIdx.x; c < cols; c += 32) {
    kept[c] = expf(kept[c] - largest);
    sum += kept[c];
  }
  for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, distance);
  for (int c = threadIdx.x; c < cols; c += 32) y[c] = kept[c] / sum;
}
