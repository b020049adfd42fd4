// Tiles of 32 x 32 in shared memory, 4 x 2 elements of c in the registers of each of 128 threads.
// expect: OUTCOME_PASSED
// cudaperf: launch matmul_registers<<<(ceil_div(n, 32), ceil_div(m, 32)), 128>>>(m, n, k, a, b, c)
__global__ void __launch_bounds__(128)
matmul_registers(int m, int n, int k, const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c) {
  __shared__ float tile_a[32][33];
  __shared__ float tile_b[32][32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int left = threadIdx.x % 16, top = threadIdx.x / 16;
  const int row0 = blockIdx.y * 32, column0 = blockIdx.x * 32;
  float sums[4][2] = {};
  for (int l0 = 0; l0 < k; l0 += 32) {
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      const int line = warp + 4 * i;
      const int row = row0 + line, l = l0 + line;
      tile_a[line][lane] = row < m && l0 + lane < k ? a[row * k + l0 + lane] : 0.0f;
      tile_b[line][lane] = l < k && column0 + lane < n ? b[l * n + column0 + lane] : 0.0f;
    }
    __syncthreads();
#pragma unroll
    for (int l = 0; l < 32; ++l) {
      const float b0 = tile_b[l][left], b1 = tile_b[l][left + 16];
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        const float factor = tile_a[top + 8 * i][l];
        sums[i][0] = fmaf(factor, b0, sums[i][0]);
        sums[i][1] = fmaf(factor, b1, sums[i][1]);
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const int row = row0 + top + 8 * i;
    if (row >= m) continue;
    if (column0 + left < n) c[row * n + column0 + left] = sums[i][0];
    if (column0 + left + 16 < n) c[row * n + column0 + left + 16] = sums[i][1];
  }
}
