// One element of c per thread, everything from global memory, neighbouring lanes on neighbouring columns.
// cudaperf: launch matmul_naive<<<(ceil_div(n, 16), ceil_div(m, 16)), (16, 16)>>>(m, n, k, a, b, c)
__global__ void matmul_naive(int m, int n, int k, const float* a, const float* b, float* c) {
  int column = blockIdx.x * 16 + threadIdx.x;
  int row = blockIdx.y * 16 + threadIdx.y;
  if (row >= m || column >= n) return;
  float sum = 0.0f;
  for (int l = 0; l < k; ++l) sum += a[row * k + l] * b[l * n + column];
  c[row * n + column] = sum;
}
