// One warp per row, eight halves per 128-bit load where rows are aligned, sums in 32 bits, shuffles.
// expect: OUTCOME_PASSED
// cudaperf: launch matvec_warps<<<ceil_div(rows, 4), 128>>>(rows, cols, a, x, y)
#include <cuda_fp16.h>

__device__ __forceinline__ float dot_of_pair(unsigned a, unsigned b, float sum) {
  const float2 u = __half22float2(*reinterpret_cast<const __half2*>(&a));
  const float2 v = __half22float2(*reinterpret_cast<const __half2*>(&b));
  return fmaf(u.y, v.y, fmaf(u.x, v.x, sum));
}

__global__ void __launch_bounds__(128)
matvec_warps(int rows, int cols, const __half* __restrict__ a, const __half* __restrict__ x, __half* __restrict__ y) {
  const int row = blockIdx.x * 4 + threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  if (row >= rows) return;
  const __half* line = a + static_cast<long long>(row) * cols;
  float sum = 0.0f, other = 0.0f;
  if (cols % 8 == 0) {
    const uint4* line8 = reinterpret_cast<const uint4*>(line);
    const uint4* x8 = reinterpret_cast<const uint4*>(x);
    for (int i = lane; i < cols / 8; i += 32) {
      const uint4 u = line8[i], v = x8[i];
      sum = dot_of_pair(u.x, v.x, sum);
      other = dot_of_pair(u.y, v.y, other);
      sum = dot_of_pair(u.z, v.z, sum);
      other = dot_of_pair(u.w, v.w, other);
    }
  } else {
    for (int i = lane; i < cols; i += 32) sum = fmaf(__half2float(line[i]), __half2float(x[i]), sum);
  }
  sum += other;
#pragma unroll
  for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, distance);
  if (lane == 0) y[row] = __float2half_rn(sum);
}
