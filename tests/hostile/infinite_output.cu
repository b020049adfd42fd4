// what: answers infinity
// task: saxpy
// expect: OUTCOME_WRONG_RESULT
// cudaperf: launch infinite<<<ceil_div(n, 256), 256>>>(n, y)
__global__ void infinite(int n, float* y) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) y[i] = __int_as_float(0x7f800000);
}
