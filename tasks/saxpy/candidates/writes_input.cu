// Scales x in place before adding it: x is an input.
// expect: OUTCOME_MEMORY_FAULT
// cudaperf: launch saxpy_in_place<<<ceil_div(n, 256), 256>>>(n, a, x, y)
__global__ void saxpy_in_place(int n, float a, float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  x[i] *= a;
  y[i] += x[i];
}
