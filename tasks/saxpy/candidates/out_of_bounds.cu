// No guard: the last block runs past the end of both vectors.
// expect: OUTCOME_MEMORY_FAULT
// cudaperf: launch saxpy_unguarded<<<ceil_div(n, 256), 256>>>(n, a, x, y)
__global__ void saxpy_unguarded(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = a * x[i] + y[i];
}
