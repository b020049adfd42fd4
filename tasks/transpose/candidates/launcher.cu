// Host function: tiles whose columns are swizzled by XOR instead of padded.
// expect: OUTCOME_PASSED
#include <cuda_runtime.h>

namespace {

constexpr int kTile = 32;
constexpr int kLines = 8;

__global__ void transpose_swizzled(int rows, int cols, const int* __restrict__ in, int* __restrict__ out) {
  __shared__ int tile[kTile][kTile];
  const int column = blockIdx.x * kTile + threadIdx.x;
  for (int line = threadIdx.y; line < kTile; line += kLines) {
    const int row = blockIdx.y * kTile + line;
    if (row < rows && column < cols) tile[line][threadIdx.x ^ line] = in[static_cast<size_t>(row) * cols + column];
  }
  __syncthreads();
  const int row = blockIdx.y * kTile + threadIdx.x;
  for (int line = threadIdx.y; line < kTile; line += kLines) {
    const int out_row = blockIdx.x * kTile + line;
    if (out_row < cols && row < rows) out[static_cast<size_t>(out_row) * rows + row] = tile[threadIdx.x][line ^ threadIdx.x];
  }
}

}  // namespace

extern "C" void transpose(int rows, int cols, const int* in, int* out) {
  if (rows <= 0 || cols <= 0) return;
  const dim3 grid((cols + kTile - 1) / kTile, (rows + kTile - 1) / kTile);
  transpose_swizzled<<<grid, dim3(kTile, kLines)>>>(rows, cols, in, out);
}
