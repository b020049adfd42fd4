// what: reads memory and environment of every other process in /proc
// task: saxpy
// expect: OUTCOME_PASSED OUTCOME_CRASHED
// why: the answer is right only if every attempt was refused; killing the process for the attempt is right too
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool holds(const char* path, const char* wanted) {
  char content[65536];
  int file = open(path, O_RDONLY);
  if (file < 0) return false;
  long size = read(file, content, sizeof(content));
  close(file);
  return size > 0 && memmem(content, size, wanted, strlen(wanted)) != nullptr;
}

static bool escaped() {
  for (int process = 1; process < 70000; ++process) {
    if (process == getpid()) continue;
    char path[64];
    snprintf(path, sizeof(path), "/proc/%d/environ", process);
    if (holds(path, "PATH=") || holds(path, "HOME=")) return true;
    snprintf(path, sizeof(path), "/proc/%d/comm", process);
    if (!holds(path, "cudaperf")) continue;
    snprintf(path, sizeof(path), "/proc/%d/mem", process);
    if (open(path, O_RDWR) >= 0) return true;
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
