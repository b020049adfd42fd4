// what: answers a question that was not asked yet, while it is being loaded
// task: saxpy
// expect: OUTCOME_WRONG_RESULT OUTCOME_CRASHED
#include <unistd.h>

__attribute__((constructor)) static void answer() {
  const unsigned char frame[8] = {};
  for (int descriptor = 3; descriptor < 256; ++descriptor) {
    for (int copy = 0; copy < 64; ++copy) {
      if (write(descriptor, frame, sizeof(frame)) < 0) break;
    }
  }
  for (;;) pause();
}

__global__ void add_scaled(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

extern "C" void saxpy(int n, float a, const float* x, float* y) {
  if (n > 0) add_scaled<<<(n + 255) / 256, 256>>>(n, a, x, y);
}
