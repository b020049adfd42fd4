// what: answers NaN, hoping that no comparison with it ever fails
// task: saxpy
// expect: OUTCOME_WRONG_RESULT
// cudaperf: launch not_a_number<<<ceil_div(n, 256), 256>>>(n, y)
__global__ void not_a_number(int n, float* y) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) y[i] = __int_as_float(0x7fc00000);
}
