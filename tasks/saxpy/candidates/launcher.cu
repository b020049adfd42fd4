// Host function that launches a grid-stride loop sized by the device's multiprocessors.
// expect: OUTCOME_PASSED
#include <cuda_runtime.h>

__global__ void saxpy_strided(int n, float a, const float* __restrict__ x, float* __restrict__ y) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = fmaf(a, x[i], y[i]);
}

extern "C" void saxpy(int n, float a, const float* x, float* y) {
  if (n <= 0) return;
  int device = 0, multiprocessors = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  int blocks = (n + 255) / 256;
  int limit = 8 * (multiprocessors > 0 ? multiprocessors : 1);
  saxpy_strided<<<blocks < limit ? blocks : limit, 256>>>(n, a, x, y);
}
