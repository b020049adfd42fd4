// what: launches small kernels for ever
// task: saxpy
// expect: OUTCOME_TIMED_OUT

__global__ void add_scaled(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

extern "C" void saxpy(int n, float a, const float* x, float* y) {
  for (;;) add_scaled<<<1, 32>>>(0, a, x, y);
}
