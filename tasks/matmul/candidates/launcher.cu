// Host function: tiles of 32 x 32 in dynamic shared memory, sized at run time.
// expect: OUTCOME_PASSED
#include <cuda_runtime.h>

__global__ void matmul_dynamic(int m, int n, int k, const float* a, const float* b, float* c) {
  extern __shared__ float tiles[];
  const int side = blockDim.x;
  float* tile_a = tiles;
  float* tile_b = tiles + side * side;
  const int column = blockIdx.x * side + threadIdx.x;
  const int row = blockIdx.y * side + threadIdx.y;
  const int mine = threadIdx.y * side + threadIdx.x;
  float sum = 0.0f;
  for (int l0 = 0; l0 < k; l0 += side) {
    const int la = l0 + threadIdx.x, lb = l0 + threadIdx.y;
    tile_a[mine] = row < m && la < k ? a[row * k + la] : 0.0f;
    tile_b[mine] = lb < k && column < n ? b[lb * n + column] : 0.0f;
    __syncthreads();
    for (int l = 0; l < side; ++l) sum = fmaf(tile_a[threadIdx.y * side + l], tile_b[l * side + threadIdx.x], sum);
    __syncthreads();
  }
  if (row < m && column < n) c[row * n + column] = sum;
}

extern "C" void matmul(int m, int n, int k, const float* a, const float* b, float* c) {
  if (m <= 0 || n <= 0) return;
  const int side = m < 32 || n < 32 ? 8 : 32;
  const dim3 grid((n + side - 1) / side, (m + side - 1) / side);
  matmul_dynamic<<<grid, dim3(side, side), 2 * side * side * sizeof(float)>>>(m, n, k, a, b, c);
}
