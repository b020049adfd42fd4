// what: fills anonymous memory files, which no address-space limit counts
// task: saxpy
// expect: OUTCOME_CRASHED OUTCOME_TIMED_OUT
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

__global__ void add_scaled(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

extern "C" void saxpy(int n, float a, const float* x, float* y) {
  static char block[1 << 20];
  memset(block, 1, sizeof(block));
  for (int failures = 0; failures < 1000;) {
    int file = memfd_create("hoard", 0);
    if (file < 0) {
      ++failures;
      continue;
    }
    for (int megabytes = 0; megabytes < 4096; ++megabytes) {
      if (write(file, block, sizeof(block)) <= 0) {
        ++failures;
        break;
      }
    }
  }
  abort();
}
