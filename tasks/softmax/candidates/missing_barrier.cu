// Reuses its shared memory for the sums while other warps still read the maximum from it.
// expect: OUTCOME_WRONG_RESULT
// cudaperf: launch softmax_hasty<<<rows, 128>>>(rows, cols, in, out)
#include <math_constants.h>

__global__ void softmax_hasty(int rows, int cols, const float* in, float* out) {
  __shared__ float shared[4];
  const float* x = in + static_cast<long long>(blockIdx.x) * cols;
  float largest = -CUDART_INF_F, sum = 0.0f;
  for (int c = threadIdx.x; c < cols; c += 128) largest = fmaxf(largest, x[c]);
  for (int distance = 16; distance > 0; distance /= 2) largest = fmaxf(largest, __shfl_xor_sync(0xffffffffu, largest, distance));
  if (threadIdx.x % 32 == 0) shared[threadIdx.x / 32] = largest;
  __syncthreads();
  largest = fmaxf(fmaxf(shared[0], shared[1]), fmaxf(shared[2], shared[3]));
  for (int c = threadIdx.x; c < cols; c += 128) sum += expf(x[c] - largest);
  for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, distance);
  if (threadIdx.x % 32 == 0) shared[threadIdx.x / 32] = sum;
  __syncthreads();
  sum = shared[0] + shared[1] + shared[2] + shared[3];
  for (int c = threadIdx.x; c < cols; c += 128) out[static_cast<long long>(blockIdx.x) * cols + c] = expf(x[c] - largest) / sum;
}
