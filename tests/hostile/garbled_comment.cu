// what: a character of several bytes in a launch expression, to make an answer that no client can read
// task: saxpy
// expect: OUTCOME_REJECTED
// cudaperf: launch add_scaled<<<𝟙, 256>>>(n, a, x, y)

__global__ void add_scaled(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}
