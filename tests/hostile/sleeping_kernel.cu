// what: a kernel that sleeps for ever
// task: saxpy
// expect: OUTCOME_TIMED_OUT
// cudaperf: launch sleeping<<<1, 32>>>(n, y)
__global__ void sleeping(int n, float* y) {
  for (long long turn = 0; turn < (1LL << 60); ++turn) __nanosleep(1000000);
  y[0] = n;
}
