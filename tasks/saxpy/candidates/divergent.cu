// Neighbouring lanes take different loops to the same answer.
// expect: OUTCOME_PASSED
// cudaperf: launch saxpy_divergent<<<ceil_div(n, 256), 256>>>(n, a, x, y)
__global__ void saxpy_divergent(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int rounds = 1 << (i % 4);
  float share = a / rounds;
  float sum = 0.0f;
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) sum += share * x[i];
  y[i] += sum;
}
