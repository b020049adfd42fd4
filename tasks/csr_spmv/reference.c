void csr_spmv(int rows, int cols, int nonzeros, const int* row_offsets, const int* columns, const float* values,
              const float* x, float* y) {
  (void)cols;
  (void)nonzeros;
  for (int row = 0; row < rows; ++row) {
    double sum = 0;
    for (int e = row_offsets[row]; e < row_offsets[row + 1]; ++e) sum += (double)values[e] * x[columns[e]];
    y[row] = (float)sum;
  }
}
