// Host function: weights in constant memory, copied there from device memory before the launch.
// expect: OUTCOME_PASSED
#include <cuda_runtime.h>

__constant__ float factors[63];

__global__ void conv_constant(int n, int taps, const float* __restrict__ signal, float* __restrict__ out) {
  extern __shared__ float tile[];
  const int first = blockIdx.x * blockDim.x;
  for (int i = threadIdx.x; i < blockDim.x + taps - 1; i += blockDim.x) {
    const int source = first + i - taps / 2;
    tile[i] = source >= 0 && source < n ? signal[source] : 0.0f;
  }
  __syncthreads();
  if (first + threadIdx.x >= n) return;
  float sum = 0.0f;
  for (int j = 0; j < taps; ++j) sum = fmaf(factors[j], tile[threadIdx.x + j], sum);
  out[first + threadIdx.x] = sum;
}

extern "C" void conv1d(int n, int taps, const float* signal, const float* weights, float* out) {
  if (n <= 0 || taps < 1 || taps > 63) return;
  cudaMemcpyToSymbolAsync(factors, weights, taps * sizeof(float), 0, cudaMemcpyDeviceToDevice);
  conv_constant<<<(n + 255) / 256, 256, (256 + taps - 1) * sizeof(float)>>>(n, taps, signal, out);
}
