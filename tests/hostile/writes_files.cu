// what: creates files wherever it can
// task: saxpy
// expect: OUTCOME_PASSED OUTCOME_CRASHED
// why: the answer is right only if every attempt was refused; killing the process for the attempt is right too
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static bool escaped() {
  for (const char* path : {"/hostile", "/tmp/hostile", "/var/tmp/hostile", "/dev/shm/hostile", "/run/hostile", "/etc/hostile",
                           "/root/hostile", "/home/hostile", "/usr/local/hostile", "hostile", "../hostile"}) {
    if (open(path, O_WRONLY | O_CREAT, 0666) >= 0) return true;
    if (mkdir(path, 0777) == 0) return true;
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
