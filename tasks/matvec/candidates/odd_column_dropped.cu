// Walks pairs of columns and forgets the last one when their number is odd.
// expect: OUTCOME_WRONG_RESULT
// cudaperf: launch matvec_pairs<<<ceil_div(rows, 4), 128>>>(rows, cols, a, x, y)
#include <cuda_fp16.h>

__global__ void matvec_pairs(int rows, int cols, const __half* a, const __half* x, __half* y) {
  int row = blockIdx.x * 4 + threadIdx.x / 32;
  int lane = threadIdx.x % 32;
  if (row >= rows) return;
  const __half* line = a + static_cast<long long>(row) * cols;
  float sum = 0.0f;
  for (int i = 2 * lane; i + 1 < cols; i += 64) {
    sum += __half2float(line[i]) * __half2float(x[i]) + __half2float(line[i + 1]) * __half2float(x[i + 1]);
  }
  for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, distance);
  if (lane == 0) y[row] = __float2half(sum);
}
