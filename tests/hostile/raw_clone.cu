// what: makes processes by raw system calls
// task: saxpy
// expect: OUTCOME_PASSED OUTCOME_CRASHED
// why: the answer is right only if every attempt was refused; killing the process for the attempt is right too
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static bool made(long process) {
  if (process == 0) _exit(0);
  return process > 0;
}

static bool escaped() {
  if (made(syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0)) || made(syscall(SYS_fork))) return true;
  if (made(syscall(SYS_clone, SIGCHLD | 0x10000000, 0, 0, 0, 0))) return true;
  unsigned long long arguments[11] = {};
  arguments[4] = SIGCHLD;
  return made(syscall(435 /* clone3 */, arguments, sizeof(arguments)));
}

__global__ void add_scaled(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

extern "C" void saxpy(int n, float a, const float* x, float* y) {
  if (escaped()) return;
  if (n > 0) add_scaled<<<(n + 255) / 256, 256>>>(n, a, x, y);
}
