// Assumes sizes that are multiples of 16.
// expect: OUTCOME_MEMORY_FAULT
// cudaperf: launch matmul_whole_tiles<<<(ceil_div(n, 16), ceil_div(m, 16)), (16, 16)>>>(n, k, a, b, c)
__global__ void matmul_whole_tiles(int n, int k, const float* a, const float* b, float* c) {
  __shared__ float tile_a[16][16], tile_b[16][16];
  int column = blockIdx.x * 16 + threadIdx.x;
  int row = blockIdx.y * 16 + threadIdx.y;
  float sum = 0.0f;
  for (int l0 = 0; l0 < k; l0 += 16) {
    tile_a[threadIdx.y][threadIdx.x] = a[row * k + l0 + threadIdx.x];
    tile_b[threadIdx.y][threadIdx.x] = b[(l0 + threadIdx.y) * n + column];
    __syncthreads();
    for (int l = 0; l < 16; ++l) sum += tile_a[threadIdx.y][l] * tile_b[l][threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}
