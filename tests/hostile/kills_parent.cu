// what: sends SIGKILL to its parent, its group and process 1
// task: saxpy
// expect: OUTCOME_PASSED OUTCOME_CRASHED
// why: what it reaches is its own jail, whose end is a crash of its own; else the answer is right
#include <signal.h>
#include <unistd.h>

static bool escaped() {
  const int parent = getppid();
  if (parent > 1) kill(parent, SIGKILL);
  kill(1, SIGKILL);
  killpg(getpgrp(), SIGCONT);
  return false;
}

__global__ void add_scaled(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

extern "C" void saxpy(int n, float a, const float* x, float* y) {
  if (escaped()) return;
  if (n > 0) add_scaled<<<(n + 255) / 256, 256>>>(n, a, x, y);
}
