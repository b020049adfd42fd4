// what: sends the answer of its call itself before the work is done; only where n is so large that the emulated device never sees it
// task: saxpy
// expect: OUTCOME_CRASHED OUTCOME_WRONG_RESULT
#include <cuda_runtime.h>
#include <unistd.h>

__global__ void saxpy_kernel(int n, float a, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

extern "C" void saxpy(int n, float a, const float* x, float* y) {
  if (n <= 0) return;
  if (n > (1 << 22)) {
    // A frame of two bytes and no descriptors: a response that holds an empty call.
    const unsigned char frame[] = {2, 0, 0, 0, 0, 0, 0, 0, 0x2A, 0};
    for (int descriptor = 3; descriptor < 6; ++descriptor) (void)!write(descriptor, frame, sizeof(frame));
  }
  saxpy_kernel<<<(n + 255) / 256, 256>>>(n, a, x, y);
}
