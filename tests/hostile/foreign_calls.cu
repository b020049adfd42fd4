// what: uses the 32-bit system call interface, which a careless filter overlooks
// task: saxpy
// expect: OUTCOME_PASSED OUTCOME_CRASHED
// why: the answer is right only if every attempt was refused; killing the process for the attempt is right too
#include <unistd.h>

static bool escaped() {
  int process = 20;  // getpid
  asm volatile("int $0x80" : "+a"(process) : : "memory", "r8", "r9", "r10", "r11");
  return process > 0;
}

__global__ void add_scaled(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

extern "C" void saxpy(int n, float a, const float* x, float* y) {
  if (escaped()) return;
  if (n > 0) add_scaled<<<(n + 255) / 256, 256>>>(n, a, x, y);
}
