// Host function: picks a kernel by the alignment of the rows, half2 arithmetic on loads, sums in 32 bits.
// expect: OUTCOME_PASSED
#include <cuda_fp16.h>
#include <cuda_runtime.h>

template <bool kPaired>
__global__ void matvec_kernel(int rows, int cols, const __half* a, const __half* x, __half* y) {
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  const __half* line = a + static_cast<size_t>(row) * cols;
  float sum = 0.0f;
  if constexpr (kPaired) {
    for (int i = threadIdx.x; i < cols / 2; i += 32) {
      const float2 u = __half22float2(reinterpret_cast<const __half2*>(line)[i]);
      const float2 v = __half22float2(reinterpret_cast<const __half2*>(x)[i]);
      sum = fmaf(u.y, v.y, fmaf(u.x, v.x, sum));
    }
  } else {
    for (int i = threadIdx.x; i < cols; i += 32) sum = fmaf(__half2float(line[i]), __half2float(x[i]), sum);
  }
  for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, distance);
  if (threadIdx.x == 0) y[row] = __float2half_rn(sum);
}

extern "C" void matvec(int rows, int cols, const __half* a, const __half* x, __half* y) {
  if (rows <= 0) return;
  const dim3 block(32, 8);
  const int grid = (rows + 7) / 8;
  if (cols % 2 == 0) {
    matvec_kernel<true><<<grid, block>>>(rows, cols, a, x, y);
  } else {
    matvec_kernel<false><<<grid, block>>>(rows, cols, a, x, y);
  }
}
