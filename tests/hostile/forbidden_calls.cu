// what: asks for io_uring, bpf, perf events, keys, userfaultfd, modules and a new kernel
// task: saxpy
// expect: OUTCOME_PASSED OUTCOME_CRASHED
// why: the answer is right only if every attempt was refused; killing the process for the attempt is right too
#include <sys/syscall.h>
#include <unistd.h>

static bool escaped() {
  char block[256] = {};
  return syscall(425 /* io_uring_setup */, 8, block) >= 0 || syscall(SYS_bpf, 0, block, sizeof(block)) >= 0 ||
         syscall(SYS_perf_event_open, block, 0, -1, -1, 0) >= 0 || syscall(SYS_userfaultfd, 0) >= 0 ||
         syscall(SYS_add_key, "user", "hostile", "x", 1, -3) >= 0 || syscall(SYS_init_module, block, 0, "") >= 0 ||
         syscall(SYS_kexec_load, 0, 0, nullptr, 0) >= 0 || syscall(SYS_reboot, 0, 0, 0, nullptr) >= 0;
}

__global__ void add_scaled(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

extern "C" void saxpy(int n, float a, const float* x, float* y) {
  if (escaped()) return;
  if (n > 0) add_scaled<<<(n + 255) / 256, 256>>>(n, a, x, y);
}
