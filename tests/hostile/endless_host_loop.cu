// what: never returns from the host function
// task: saxpy
// expect: OUTCOME_TIMED_OUT

__global__ void add_scaled(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

extern "C" void saxpy(int n, float a, const float* x, float* y) {
  for (volatile int turn = 0;; turn = turn + 1) {
  }
}
