// One block of 128 threads per row, tree reduction in shared memory.
// cudaperf: launch matvec_rows<<<rows, 128>>>(rows, cols, a, x, y)
#include <cuda_fp16.h>

__global__ void matvec_rows(int rows, int cols, const __half* a, const __half* x, __half* y) {
  __shared__ float sums[128];
  const __half* row = a + static_cast<long long>(blockIdx.x) * cols;
  float sum = 0.0f;
  for (int column = threadIdx.x; column < cols; column += 128) sum += __half2float(row[column]) * __half2float(x[column]);
  sums[threadIdx.x] = sum;
  __syncthreads();
  for (int half = 64; half > 0; half /= 2) {
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) y[blockIdx.x] = __float2half(sums[0]);
}
