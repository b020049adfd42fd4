// Host function on a stream of its own: one kernel for the inside, one for the boundary.
// expect: OUTCOME_PASSED
#include <cuda_runtime.h>

__global__ void stencil_inside(int rows, int cols, const float* __restrict__ in, float* __restrict__ out) {
  const int c = 1 + blockIdx.x * blockDim.x + threadIdx.x;
  const int r = 1 + blockIdx.y * blockDim.y + threadIdx.y;
  if (r >= rows - 1 || c >= cols - 1) return;
  const int i = r * cols + c;
  out[i] = fmaf(0.125f, (in[i - cols] + in[i + cols]) + (in[i - 1] + in[i + 1]), 0.5f * in[i]);
}

__global__ void stencil_boundary(int rows, int cols, const float* __restrict__ in, float* __restrict__ out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < cols) {
    out[i] = in[i];
    out[(rows - 1) * cols + i] = in[(rows - 1) * cols + i];
  }
  if (i < rows) {
    out[i * cols] = in[i * cols];
    out[i * cols + cols - 1] = in[i * cols + cols - 1];
  }
}

extern "C" void stencil2d(int rows, int cols, const float* in, float* out) {
  if (rows <= 0 || cols <= 0) return;
  cudaStream_t stream;
  if (cudaStreamCreate(&stream) != cudaSuccess) return;
  const int edge = rows > cols ? rows : cols;
  stencil_boundary<<<(edge + 127) / 128, 128, 0, stream>>>(rows, cols, in, out);
  if (rows > 2 && cols > 2) {
    const dim3 block(32, 8);
    stencil_inside<<<dim3((cols - 2 + 31) / 32, (rows - 2 + 7) / 8), block, 0, stream>>>(rows, cols, in, out);
  }
  cudaStreamSynchronize(stream);
  cudaStreamDestroy(stream);
}
