// what: a constant expression that is never done
// task: saxpy
// expect: OUTCOME_COMPILE_FAILED
// cudaperf: launch add_scaled<<<ceil_div(n, 256), 256>>>(n, a, x, y)
__host__ __device__ constexpr int forever() {
  int turns = 0;
  while (turns >= 0) turns ^= 1;
  return turns;
}

__global__ void add_scaled(int n, float a, const float* x, float* y) {
  constexpr int kNever = forever();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i] + kNever;
}
