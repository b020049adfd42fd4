// what: has the assembler copy a host file into the program
// task: saxpy
// expect: OUTCOME_COMPILE_FAILED OUTCOME_REJECTED
// never: root:x:0
#include <cstdio>

asm(".pushsection .rodata\n.globl stolen\nstolen: .incbin \"/etc/passwd\"\n.byte 0\n.popsection");
extern "C" const char stolen[];

__global__ void add_scaled(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

extern "C" void saxpy(int n, float a, const float* x, float* y) {
  std::puts(stolen);
  if (n > 0) add_scaled<<<(n + 255) / 256, 256>>>(n, a, x, y);
}
