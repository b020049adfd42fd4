// Keeps its sums in 16 bits.
// expect: OUTCOME_WRONG_RESULT
// cudaperf: launch matvec_half<<<ceil_div(rows, 128), 128>>>(rows, cols, a, x, y)
#include <cuda_fp16.h>

__global__ void matvec_half(int rows, int cols, const __half* a, const __half* x, __half* y) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  __half sum = __float2half(0.0f);
  for (int column = 0; column < cols; ++column) {
    sum = __hadd(sum, __hmul(a[static_cast<long long>(row) * cols + column], x[column]));
  }
  y[row] = sum;
}
