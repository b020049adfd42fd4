// One thread per element: finds its row by bisection and adds with an atomic.
// expect: OUTCOME_PASSED
// cudaperf: launch spmv_clear<<<ceil_div(rows, 256), 256>>>(rows, y)
// cudaperf: launch spmv_elements<<<max(1, ceil_div(nonzeros, 256)), 256>>>(rows, nonzeros, row_offsets, columns, values, x, y)
__global__ void spmv_clear(int rows, float* y) {
  int row = blockIdx.x * 256 + threadIdx.x;
  if (row < rows) y[row] = 0.0f;
}

__global__ void spmv_elements(int rows, int nonzeros, const int* row_offsets, const int* columns, const float* values,
                              const float* x, float* y) {
  int e = blockIdx.x * 256 + threadIdx.x;
  if (e >= nonzeros) return;
  int low = 0, high = rows;
  while (high - low > 1) {
    int middle = (low + high) / 2;
    if (row_offsets[middle] <= e) {
      low = middle;
    } else {
      high = middle;
    }
  }
  atomicAdd(&y[low], values[e] * x[columns[e]]);
}
