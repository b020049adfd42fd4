// what: leaves a process behind in a session of its own
// task: saxpy
// expect: OUTCOME_PASSED OUTCOME_CRASHED
// why: the answer is right only if every attempt was refused; killing the process for the attempt is right too
#include <unistd.h>

static bool escaped() {
  const int child = fork();
  if (child < 0) return false;
  if (child > 0) return true;
  setsid();
  if (fork() > 0) _exit(0);
  for (;;) sleep(1000);
}

__global__ void add_scaled(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

extern "C" void saxpy(int n, float a, const float* x, float* y) {
  if (escaped()) return;
  if (n > 0) add_scaled<<<(n + 255) / 256, 256>>>(n, a, x, y);
}
