// The textbook's tiles of 16 x 16 in shared memory, one element of c per thread.
// expect: OUTCOME_PASSED
// cudaperf: launch matmul_tiled<<<(ceil_div(n, 16), ceil_div(m, 16)), (16, 16)>>>(m, n, k, a, b, c)
__global__ void matmul_tiled(int m, int n, int k, const float* a, const float* b, float* c) {
  __shared__ float tile_a[16][16], tile_b[16][16];
  int column = blockIdx.x * 16 + threadIdx.x;
  int row = blockIdx.y * 16 + threadIdx.y;
  float sum = 0.0f;
  for (int l0 = 0; l0 < k; l0 += 16) {
    int la = l0 + threadIdx.x, lb = l0 + threadIdx.y;
    tile_a[threadIdx.y][threadIdx.x] = row < m && la < k ? a[row * k + la] : 0.0f;
    tile_b[threadIdx.y][threadIdx.x] = lb < k && column < n ? b[lb * n + column] : 0.0f;
    __syncthreads();
    for (int l = 0; l < 16; ++l) sum += tile_a[threadIdx.y][l] * tile_b[l][threadIdx.x];
    __syncthreads();
  }
  if (row < m && column < n) c[row * n + column] = sum;
}
