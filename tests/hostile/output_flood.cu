// what: prints 64 MiB to standard output and standard error
// task: saxpy
// expect: OUTCOME_PASSED OUTCOME_TIMED_OUT
// why: nobody reads these streams and the answer is right; it may take too long
#include <stdio.h>

__global__ void add_scaled(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

extern "C" void saxpy(int n, float a, const float* x, float* y) {
  for (int line = 0; line < (1 << 19); ++line) {
    fputs("candidate: a line of sixty-four bytes that nobody will ever read.\n", stdout);
    fputs("candidate: a line of sixty-four bytes that nobody will ever read.\n", stderr);
  }
  if (n > 0) add_scaled<<<(n + 255) / 256, 256>>>(n, a, x, y);
}
