// what: a kernel that never ends
// task: saxpy
// expect: OUTCOME_TIMED_OUT
// cudaperf: launch endless<<<ceil_div(n, 256), 256>>>(n, y)
__global__ void endless(int n, float* y) {
  volatile float* flag = y;
  while (flag[0] != 12345.0f) {
  }
}
