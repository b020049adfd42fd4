// Host function: rows up to 4096 columns stay in dynamic shared memory, longer ones are read again.
// expect: OUTCOME_PASSED
#include <cuda_runtime.h>
#include <math_constants.h>

enum class Operation { kMaximum, kSum };

template <Operation kOperation>
__device__ float reduce(float value, float* shared) {
  for (int distance = 16; distance > 0; distance /= 2) {
    const float other = __shfl_xor_sync(0xffffffffu, value, distance);
    value = kOperation == Operation::kSum ? value + other : fmaxf(value, other);
  }
  __syncthreads();
  if (threadIdx.x % 32 == 0) shared[threadIdx.x / 32] = value;
  __syncthreads();
  value = shared[0];
  for (int warp = 1; warp < blockDim.x / 32; ++warp) {
    value = kOperation == Operation::kSum ? value + shared[warp] : fmaxf(value, shared[warp]);
  }
  return value;
}

template <bool kKeep>
__global__ void softmax_rows(int cols, const float* __restrict__ in, float* __restrict__ out) {
  extern __shared__ float kept[];
  __shared__ float shared[32];
  const float* x = in + static_cast<size_t>(blockIdx.x) * cols;
  float* y = out + static_cast<size_t>(blockIdx.x) * cols;
  float largest = -CUDART_INF_F, sum = 0.0f;
  for (int c = threadIdx.x; c < cols; c += blockDim.x) {
    if constexpr (kKeep) kept[c] = x[c];
    largest = fmaxf(largest, x[c]);
  }
  largest = reduce<Operation::kMaximum>(largest, shared);
  for (int c = threadIdx.x; c < cols; c += blockDim.x) {
    const float value = __expf((kKeep ? kept[c] : x[c]) - largest);
    if constexpr (kKeep) kept[c] = value;
    sum += value;
  }
  const float factor = 1.0f / reduce<Operation::kSum>(sum, shared);
  for (int c = threadIdx.x; c < cols; c += blockDim.x) y[c] = (kKeep ? kept[c] : __expf(x[c] - largest)) * factor;
}

extern "C" void softmax(int rows, int cols, const float* in, float* out) {
  if (rows <= 0 || cols <= 0) return;
  const int threads = cols >= 256 ? 256 : 64;
  if (cols <= 4096) {
    softmax_rows<true><<<rows, threads, cols * sizeof(float)>>>(cols, in, out);
  } else {
    softmax_rows<false><<<rows, threads>>>(cols, in, out);
  }
}
