// what: writes an answer frame of its own on every descriptor and exits without computing
// task: saxpy
// expect: OUTCOME_WRONG_RESULT OUTCOME_CRASHED
#include <unistd.h>

__global__ void add_scaled(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

extern "C" void saxpy(int n, float a, const float* x, float* y) {
  // An empty message: its length and the number of its descriptors, both zero.
  const unsigned char frame[8] = {};
  for (int descriptor = 3; descriptor < 256; ++descriptor) {
    if (write(descriptor, frame, sizeof(frame)) < 0) continue;
  }
  _exit(0);
}
