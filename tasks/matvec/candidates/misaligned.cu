// Reads pairs as 32-bit words although a row of odd length starts between two words.
// expect: OUTCOME_MEMORY_FAULT
// cudaperf: launch matvec_words<<<ceil_div(rows, 4), 128>>>(rows, cols, a, x, y)
#include <cuda_fp16.h>

__global__ void matvec_words(int rows, int cols, const __half* a, const __half* x, __half* y) {
  int row = blockIdx.x * 4 + threadIdx.x / 32;
  int lane = threadIdx.x % 32;
  if (row >= rows) return;
  const __half* line = a + static_cast<long long>(row) * cols;
  float sum = 0.0f;
  for (int i = lane; i < cols / 2; i += 32) {
    float2 u = __half22float2(reinterpret_cast<const __half2*>(line)[i]);
    float2 v = __half22float2(reinterpret_cast<const __half2*>(x)[i]);
    sum += u.x * v.x + u.y * v.y;
  }
  if (cols % 2 != 0 && lane == 0) sum += __half2float(line[cols - 1]) * __half2float(x[cols - 1]);
  for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, distance);
  if (lane == 0) y[row] = __float2half(sum);
}
