// Adds to a result that nobody set to zero.
// expect: OUTCOME_WRONG_RESULT
// cudaperf: launch dot_accumulate<<<ceil_div(n, 256), 256>>>(n, x, y, result)
__global__ void dot_accumulate(int n, const double* x, const double* y, double* result) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(result, x[i] * y[i]);
}
