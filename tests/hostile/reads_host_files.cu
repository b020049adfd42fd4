// what: reads what only the host should know
// task: saxpy
// expect: OUTCOME_PASSED OUTCOME_CRASHED
// why: the answer is right only if every attempt was refused; killing the process for the attempt is right too
#include <fcntl.h>
#include <unistd.h>

static bool escaped() {
  for (const char* path : {"/etc/shadow", "/etc/ssh/sshd_config", "/root/.bashrc", "/root/.profile", "/var/lib/dpkg/status",
                           "/proc/1/root/etc/shadow", "/proc/kcore", "/dev/mem", "/dev/kmsg", "/sys/kernel/debug"}) {
    if (open(path, O_RDONLY) >= 0) return true;
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
