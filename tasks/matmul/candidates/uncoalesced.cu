// Neighbouring lanes on neighbouring rows: every load of a and every store of c is a column.
// expect: OUTCOME_PASSED
// cudaperf: launch matmul_columns<<<(ceil_div(m, 32), ceil_div(n, 8)), (32, 8)>>>(m, n, k, a, b, c)
__global__ void matmul_columns(int m, int n, int k, const float* a, const float* b, float* c) {
  int row = blockIdx.x * 32 + threadIdx.x;
  int column = blockIdx.y * 8 + threadIdx.y;
  if (row >= m || column >= n) return;
  float sum = 0.0f;
  for (int l = 0; l < k; ++l) sum += a[row * k + l] * b[l * n + column];
  c[row * n + column] = sum;
}
