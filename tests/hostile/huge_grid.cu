// what: the largest grid there is, for nothing
// task: saxpy
// expect: OUTCOME_TIMED_OUT
// cudaperf: launch add_scaled<<<2147483647, 1024>>>(n, a, x, y)
__global__ void add_scaled(int n, float a, const float* x, float* y) {
  long long i = blockIdx.x * 1024LL + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}
