// what: makes the code of the process that called it writable and fills it with traps
// task: saxpy
// expect: OUTCOME_CRASHED
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

__global__ void add_scaled(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

extern "C" void saxpy(int n, float a, const float* x, float* y) {
  FILE* maps = fopen("/proc/self/maps", "r");
  char line[512];
  uintptr_t begin = 0, end = 0;
  while (maps != nullptr && fgets(line, sizeof(line), maps) != nullptr) {
    unsigned long from, to;
    if (sscanf(line, "%lx-%lx r-xp", &from, &to) == 2 && strstr(line, "cudaperf-runner") != nullptr) {
      begin = from;
      end = to;
    }
  }
  if (begin == 0 || mprotect(reinterpret_cast<void*>(begin), end - begin, PROT_READ | PROT_WRITE | PROT_EXEC) != 0) {
    __builtin_trap();
  }
  memset(reinterpret_cast<void*>(begin), 0xcc, end - begin);
}
