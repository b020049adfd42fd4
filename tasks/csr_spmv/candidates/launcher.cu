// Host function: chooses how many lanes share a row by the mean length of the rows.
// expect: OUTCOME_PASSED
#include <cuda_runtime.h>

template <int kLanes>
__global__ void spmv_kernel(int rows, const int* row_offsets, const int* columns, const float* values, const float* x, float* y) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / kLanes;
  const int lane = threadIdx.x % kLanes;
  float sum = 0.0f;
  if (row < rows) {
    for (int e = row_offsets[row] + lane; e < row_offsets[row + 1]; e += kLanes) sum = fmaf(values[e], x[columns[e]], sum);
  }
  for (int distance = kLanes / 2; distance > 0; distance /= 2) sum += __shfl_down_sync(0xffffffffu, sum, distance, kLanes);
  if (row < rows && lane == 0) y[row] = sum;
}

template <int kLanes>
static void launch(int rows, const int* row_offsets, const int* columns, const float* values, const float* x, float* y) {
  const int rows_per_block = 256 / kLanes;
  spmv_kernel<kLanes><<<(rows + rows_per_block - 1) / rows_per_block, 256>>>(rows, row_offsets, columns, values, x, y);
}

extern "C" void csr_spmv(int rows, int cols, int nonzeros, const int* row_offsets, const int* columns, const float* values,
                         const float* x, float* y) {
  if (rows <= 0) return;
  const int mean = nonzeros / rows;
  if (mean > 64) {
    launch<32>(rows, row_offsets, columns, values, x, y);
  } else if (mean > 4) {
    launch<8>(rows, row_offsets, columns, values, x, y);
  } else {
    launch<2>(rows, row_offsets, columns, values, x, y);
  }
}
