// what: a grid whose size does not fit any number
// task: saxpy
// expect: OUTCOME_REJECTED
// cudaperf: launch add_scaled<<<9223372036854775807 * 2 + n, 256>>>(n, a, x, y)
__global__ void add_scaled(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

