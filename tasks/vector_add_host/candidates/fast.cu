// One allocation, 128-bit accesses, sums in place: every byte crosses the bus once.
// expect: OUTCOME_PASSED
#include <cuda_runtime.h>

__global__ void add_to(int count, const float4* __restrict__ x, float4* __restrict__ y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const float4 u = x[i];
  float4 v = y[i];
  v.x += u.x;
  v.y += u.y;
  v.z += u.z;
  v.w += u.w;
  y[i] = v;
}

extern "C" void vector_add_host(int n, const float* x, const float* y, float* z) {
  if (n <= 0) return;
  const size_t bytes = n * sizeof(float);
  const size_t quads = (n + size_t{3}) / 4;
  float4* buffer = nullptr;
  if (cudaMalloc(&buffer, 2 * quads * sizeof(float4)) != cudaSuccess) return;
  // The padding behind the last element is added as well; zeros keep it defined.
  if (n % 4 != 0) cudaMemsetAsync(buffer, 0, 2 * quads * sizeof(float4));
  cudaMemcpyAsync(buffer, x, bytes, cudaMemcpyHostToDevice);
  cudaMemcpyAsync(buffer + quads, y, bytes, cudaMemcpyHostToDevice);
  add_to<<<(quads + 255) / 256, 256>>>(quads, buffer, buffer + quads);
  cudaMemcpy(z, buffer + quads, bytes, cudaMemcpyDeviceToHost);
  cudaFree(buffer);
}
