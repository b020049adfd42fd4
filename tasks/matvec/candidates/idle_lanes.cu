// One block of 1024 threads per row, then one thread adds up what all of them left in shared memory.
// expect: OUTCOME_PASSED
// cudaperf: launch matvec_wide<<<rows, 1024>>>(rows, cols, a, x, y)
#include <cuda_fp16.h>

__global__ void matvec_wide(int rows, int cols, const __half* a, const __half* x, __half* y) {
  __shared__ float products[1024];
  float sum = 0.0f;
  for (int column = threadIdx.x; column < cols; column += 1024) {
    sum += __half2float(a[static_cast<long long>(blockIdx.x) * cols + column]) * __half2float(x[column]);
  }
  products[threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (int other = 1; other < 1024; ++other) sum += products[other];
  y[blockIdx.x] = __float2half(sum);
}
