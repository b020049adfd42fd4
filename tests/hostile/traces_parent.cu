// what: attaches to its parent as a debugger and reads its memory
// task: saxpy
// expect: OUTCOME_PASSED OUTCOME_CRASHED
// why: the answer is right only if every attempt was refused; killing the process for the attempt is right too
#include <errno.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <unistd.h>

static bool escaped() {
  for (int process : {getppid(), 1}) {
    if (process <= 0 || process == getpid()) continue;
    if (ptrace(PTRACE_ATTACH, process, nullptr, nullptr) == 0) return true;
    if (ptrace(PTRACE_SEIZE, process, nullptr, nullptr) == 0) return true;
    char byte;
    iovec local = {&byte, 1};
    iovec remote = {reinterpret_cast<void*>(0x400000), 1};
    if (process_vm_readv(process, &local, 1, &remote, 1, 0) >= 0 || errno == EFAULT) return true;
  }
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
