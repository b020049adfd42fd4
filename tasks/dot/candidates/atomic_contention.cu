// Every thread adds its product to the one result.
// expect: OUTCOME_PASSED
// cudaperf: launch dot_clear<<<1, 1>>>(result)
// cudaperf: launch dot_atomic<<<ceil_div(n, 256), 256>>>(n, x, y, result)
__global__ void dot_clear(double* result) { *result = 0; }

__global__ void dot_atomic(int n, const double* x, const double* y, double* result) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(result, x[i] * y[i]);
}
