// what: sleeps for an hour, then answers
// task: saxpy
// expect: OUTCOME_TIMED_OUT
#include <unistd.h>

__global__ void add_scaled(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

extern "C" void saxpy(int n, float a, const float* x, float* y) {
  sleep(3600);
  if (n > 0) add_scaled<<<(n + 255) / 256, 256>>>(n, a, x, y);
}
