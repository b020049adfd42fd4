// what: an honest launcher on a stream of its own: whatever a call starts is waited for; only where n is so large that the emulated device never sees it
// task: saxpy
// expect: OUTCOME_PASSED
// why: every stream is waited for, and its time is charged
#include <cuda_runtime.h>

__global__ void saxpy_kernel(int n, float a, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

static cudaStream_t side = nullptr;

extern "C" void saxpy(int n, float a, const float* x, float* y) {
  if (n <= 0) return;
  if (n > (1 << 22)) {
    if (side == nullptr) cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking);
    saxpy_kernel<<<(n + 255) / 256, 256, 0, side>>>(n, a, x, y);
    return;
  }
  saxpy_kernel<<<(n + 255) / 256, 256>>>(n, a, x, y);
}
