// Counts k / 16 tiles: what remains of k is never added.
// expect: OUTCOME_WRONG_RESULT
// cudaperf: launch matmul_short<<<(ceil_div(n, 16), ceil_div(m, 16)), (16, 16)>>>(m, n, k, a, b, c)
__global__ void matmul_short(int m, int n, int k, const float* a, const float* b, float* c) {
  __shared__ float tile_a[16][16], tile_b[16][16];
  int column = blockIdx.x * 16 + threadIdx.x;
  int row = blockIdx.y * 16 + threadIdx.y;
  float sum = 0.0f;
  for (int tile = 0; tile < k / 16; ++tile) {
    tile_a[threadIdx.y][threadIdx.x] = row < m ? a[row * k + tile * 16 + threadIdx.x] : 0.0f;
    tile_b[threadIdx.y][threadIdx.x] = column < n ? b[(tile * 16 + threadIdx.y) * n + column] : 0.0f;
    __syncthreads();
    for (int l = 0; l < 16; ++l) sum += tile_a[threadIdx.y][l] * tile_b[l][threadIdx.x];
    __syncthreads();
  }
  if (row < m && column < n) c[row * n + column] = sum;
}
