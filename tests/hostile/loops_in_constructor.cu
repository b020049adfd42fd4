// what: never finishes being loaded
// task: saxpy
// expect: OUTCOME_TIMED_OUT
#include <unistd.h>

__attribute__((constructor)) static void stay() {
  for (;;) pause();
}

__global__ void add_scaled(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

extern "C" void saxpy(int n, float a, const float* x, float* y) {
  if (n > 0) add_scaled<<<(n + 255) / 256, 256>>>(n, a, x, y);
}
