// what: announces a frame of a gigabyte to everybody and sends it byte by byte
// task: saxpy
// expect: OUTCOME_TIMED_OUT OUTCOME_CRASHED OUTCOME_WRONG_RESULT
#include <unistd.h>

__global__ void add_scaled(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

extern "C" void saxpy(int n, float a, const float* x, float* y) {
  const unsigned char header[8] = {0xff, 0xff, 0xff, 0x3f, 0, 0, 0, 0};
  for (int descriptor = 3; descriptor < 256; ++descriptor) {
    if (write(descriptor, header, sizeof(header)) < 0) continue;
  }
  for (;;) {
    for (int descriptor = 3; descriptor < 16; ++descriptor) {
      if (write(descriptor, header + 7, 1) < 0) continue;
    }
    usleep(1000);
  }
}
