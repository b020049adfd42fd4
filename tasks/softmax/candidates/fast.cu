// One block per row, read once: up to 16 values a thread stay in registers; two shuffle reductions; exponentials by the special-function unit.
// expect: OUTCOME_PASSED
// cudaperf: launch softmax_registers<<<rows, 128>>>(rows, cols, in, out)
#include <math_constants.h>

enum class Operation { kMaximum, kSum };

template <Operation kOperation>
__device__ __forceinline__ float reduce(float value, float* shared) {
#pragma unroll
  for (int distance = 16; distance > 0; distance /= 2) {
    const float other = __shfl_xor_sync(0xffffffffu, value, distance);
    value = kOperation == Operation::kSum ? value + other : fmaxf(value, other);
  }
  if (threadIdx.x % 32 == 0) shared[threadIdx.x / 32] = value;
  __syncthreads();
  if (kOperation == Operation::kSum) return (shared[0] + shared[1]) + (shared[2] + shared[3]);
  return fmaxf(fmaxf(shared[0], shared[1]), fmaxf(shared[2], shared[3]));
}

__global__ void __launch_bounds__(128)
softmax_registers(int rows, int cols, const float* __restrict__ in, float* __restrict__ out) {
  __shared__ float maxima[4], sums[4];
  const float* x = in + static_cast<long long>(blockIdx.x) * cols;
  float* y = out + static_cast<long long>(blockIdx.x) * cols;
  const int first = threadIdx.x;
  float values[16];
  float largest = -CUDART_INF_F, sum = 0.0f;
#pragma unroll
  for (int k = 0; k < 16; ++k) {
    values[k] = first + k * 128 < cols ? x[first + k * 128] : -CUDART_INF_F;
    largest = fmaxf(largest, values[k]);
  }
  for (int c = first + 2048; c < cols; c += 128) largest = fmaxf(largest, x[c]);
  largest = reduce<Operation::kMaximum>(largest, maxima);
#pragma unroll
  for (int k = 0; k < 16; ++k) {
    values[k] = __expf(values[k] - largest);
    sum += values[k];
  }
  for (int c = first + 2048; c < cols; c += 128) sum += __expf(x[c] - largest);
  const float factor = 1.0f / reduce<Operation::kSum>(sum, sums);
#pragma unroll
  for (int k = 0; k < 16; ++k) {
    if (first + k * 128 < cols) y[first + k * 128] = values[k] * factor;
  }
  for (int c = first + 2048; c < cols; c += 128) y[c] = __expf(x[c] - largest) * factor;
}
