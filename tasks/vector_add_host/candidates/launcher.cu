// Chunks on two streams of their own, so that copies both ways and the kernel can overlap.
// expect: OUTCOME_PASSED
#include <cuda_runtime.h>

__global__ void add_to(int n, const float* __restrict__ x, float* __restrict__ y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += x[i];
}

extern "C" void vector_add_host(int n, const float* x, const float* y, float* z) {
  if (n <= 0) return;
  constexpr int kChunk = 1 << 20;
  const int chunk = n < kChunk ? n : kChunk;
  cudaStream_t streams[2];
  float* buffer = nullptr;
  if (cudaMalloc(&buffer, 4 * sizeof(float) * chunk) != cudaSuccess) return;
  for (cudaStream_t& stream : streams) cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  for (int first = 0, turn = 0; first < n; first += chunk, ++turn) {
    const cudaStream_t stream = streams[turn % 2];
    float* dx = buffer + 2 * static_cast<size_t>(turn % 2) * chunk;
    float* dy = dx + chunk;
    const int count = n - first < chunk ? n - first : chunk;
    const size_t bytes = count * sizeof(float);
    cudaMemcpyAsync(dx, x + first, bytes, cudaMemcpyHostToDevice, stream);
    cudaMemcpyAsync(dy, y + first, bytes, cudaMemcpyHostToDevice, stream);
    add_to<<<(count + 255) / 256, 256, 0, stream>>>(count, dx, dy);
    cudaMemcpyAsync(z + first, dy, bytes, cudaMemcpyDeviceToHost, stream);
  }
  for (const cudaStream_t stream : streams) {
    cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
  }
  cudaFree(buffer);
}
