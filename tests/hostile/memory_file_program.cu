// what: runs a program from an anonymous memory file
// task: saxpy
// expect: OUTCOME_PASSED OUTCOME_CRASHED
// why: the answer is right only if every attempt was refused; killing the process for the attempt is right too
#include <sys/mman.h>
#include <sys/syscall.h>
#include <fcntl.h>
#include <unistd.h>

extern char** environ;

static bool escaped() {
  int from = open("/bin/sleep", O_RDONLY);
  int file = memfd_create("program", 0);
  if (from < 0 || file < 0) return false;
  char block[65536];
  for (long size; (size = read(from, block, sizeof(block))) > 0;) {
    if (write(file, block, size) != size) return false;
  }
  const char* arguments[] = {"sleep", "600", nullptr};
  syscall(SYS_execveat, file, "", arguments, environ, AT_EMPTY_PATH);
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
