// Tiles of 32 x 32 without padding, the first one read by columns: 32 lanes in one bank.
// expect: OUTCOME_PASSED
// cudaperf: launch matmul_conflicts<<<(ceil_div(n, 32), ceil_div(m, 32)), (32, 32)>>>(m, n, k, a, b, c)
__global__ void matmul_conflicts(int m, int n, int k, const float* a, const float* b, float* c) {
  __shared__ float tile_a[32][32], tile_b[32][32];
  int row = blockIdx.y * 32 + threadIdx.x;
  int column = blockIdx.x * 32 + threadIdx.y;
  int load_row = blockIdx.y * 32 + threadIdx.y;
  int load_column = blockIdx.x * 32 + threadIdx.x;
  float sum = 0.0f;
  for (int l0 = 0; l0 < k; l0 += 32) {
    int la = l0 + threadIdx.x, lb = l0 + threadIdx.y;
    tile_a[threadIdx.y][threadIdx.x] = load_row < m && la < k ? a[load_row * k + la] : 0.0f;
    tile_b[threadIdx.y][threadIdx.x] = lb < k && load_column < n ? b[lb * n + load_column] : 0.0f;
    __syncthreads();
    for (int l = 0; l < 32; ++l) sum += tile_a[threadIdx.x][l] * tile_b[l][threadIdx.y];
    __syncthreads();
  }
  if (row < m && column < n) c[row * n + column] = sum;
}
