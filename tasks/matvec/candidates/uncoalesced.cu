// One thread per row: lanes are a whole row apart.
// expect: OUTCOME_PASSED
// cudaperf: launch matvec_threads<<<ceil_div(rows, 128), 128>>>(rows, cols, a, x, y)
#include <cuda_fp16.h>

__global__ void matvec_threads(int rows, int cols, const __half* a, const __half* x, __half* y) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0.0f;
  for (int column = 0; column < cols; ++column) {
    sum += __half2float(a[static_cast<long long>(row) * cols + column]) * __half2float(x[column]);
  }
  y[row] = __float2half(sum);
}
