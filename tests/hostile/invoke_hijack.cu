// what: defines the function that the service appends, and exits in it
// task: saxpy
// expect: OUTCOME_REJECTED OUTCOME_COMPILE_FAILED
#include <unistd.h>

__global__ void add_scaled(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

extern "C" void cudaperf_invoke(void** arguments) { _exit(0); }
extern "C" void saxpy(int n, float a, const float* x, float* y) {
  if (n > 0) add_scaled<<<(n + 255) / 256, 256>>>(n, a, x, y);
}
