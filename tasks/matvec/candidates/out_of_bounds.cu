// Four rows per block without a guard: the last block reads and writes rows that do not exist.
// expect: OUTCOME_MEMORY_FAULT
// cudaperf: launch matvec_unguarded<<<ceil_div(rows, 4), 128>>>(cols, a, x, y)
#include <cuda_fp16.h>

__global__ void matvec_unguarded(int cols, const __half* a, const __half* x, __half* y) {
  int row = blockIdx.x * 4 + threadIdx.x / 32;
  int lane = threadIdx.x % 32;
  const __half* line = a + static_cast<long long>(row) * cols;
  float sum = 0.0f;
  for (int i = lane; i < cols; i += 32) sum += __half2float(line[i]) * __half2float(x[i]);
  for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, distance);
  if (lane == 0) y[row] = __float2half(sum);
}
