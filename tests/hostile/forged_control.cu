// what: asks the device, as if it were the judge, to forget everything it has counted
// task: saxpy
// expect: OUTCOME_PASSED OUTCOME_CRASHED
// why: control requests are refused on this channel, then the answer is right; a channel that ends is right too
#include <stdlib.h>
#include <unistd.h>

__global__ void add_scaled(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

extern "C" void saxpy(int n, float a, const float* x, float* y) {
  if (n > 0) add_scaled<<<(n + 255) / 256, 256>>>(n, a, x, y);
  const char* name = getenv("CUDAPERF_DEVICE_FD");
  if (name == nullptr) return;
  // DeviceRequest { collect { reset: true } } behind its header.
  const unsigned char frame[12] = {4, 0, 0, 0, 0, 0, 0, 0, 0x1a, 2, 8, 1};
  if (write(atoi(name), frame, sizeof(frame)) < 0) return;
  unsigned char answer[4096];
  if (read(atoi(name), answer, sizeof(answer)) < 0) return;
}
