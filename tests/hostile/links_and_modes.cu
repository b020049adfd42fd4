// what: plants links, changes modes and owners, renames and deletes
// task: saxpy
// expect: OUTCOME_PASSED OUTCOME_CRASHED
// why: the answer is right only if every attempt was refused; killing the process for the attempt is right too
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static bool escaped() {
  for (const char* folder : {"/", "/tmp/", "/dev/shm/", "./"}) {
    char path[64];
    snprintf(path, sizeof(path), "%shostile-link", folder);
    if (symlink("/etc/passwd", path) == 0 || link("/etc/passwd", path) == 0) return true;
  }
  return chmod("/usr/bin/env", 04777) == 0 || chown("/usr/bin/env", getuid(), getgid()) == 0 ||
         rename("/usr/bin/env", "/usr/bin/hostile") == 0 || unlink("/usr/bin/env") == 0;
}

__global__ void add_scaled(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

extern "C" void saxpy(int n, float a, const float* x, float* y) {
  if (escaped()) return;
  if (n > 0) add_scaled<<<(n + 255) / 256, 256>>>(n, a, x, y);
}
