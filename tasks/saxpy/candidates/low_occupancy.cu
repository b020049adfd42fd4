// 64 blocks of one warp, each asking for 40 KiB of shared memory that it does not use.
// expect: OUTCOME_PASSED
// cudaperf: launch saxpy_lonely<<<min(ceil_div(n, 32), 64), 32, 40960>>>(n, a, x, y)
__global__ void saxpy_lonely(int n, float a, const float* x, float* y) {
  for (int i = blockIdx.x * 32 + threadIdx.x; i < n; i += gridDim.x * 32) y[i] = a * x[i] + y[i];
}
