// what: replaces itself by a shell
// task: saxpy
// expect: OUTCOME_PASSED OUTCOME_CRASHED
// why: the answer is right only if every attempt was refused; killing the process for the attempt is right too
#include <unistd.h>

static bool escaped() {
  execl("/bin/sh", "sh", "-c", "sleep 600", static_cast<char*>(nullptr));
  execl("/usr/bin/env", "env", "sleep", "600", static_cast<char*>(nullptr));
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
