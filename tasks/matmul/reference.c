#include <stdlib.h>

void matmul(int m, int n, int k, const float* a, const float* b, float* c) {
  double* row = malloc(sizeof(double) * (size_t)n);
  if (row == NULL) abort();
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) row[j] = 0;
    for (int l = 0; l < k; ++l) {
      double factor = a[(size_t)i * k + l];
      for (int j = 0; j < n; ++j) row[j] += factor * b[(size_t)l * n + j];
    }
    for (int j = 0; j < n; ++j) c[(size_t)i * n + j] = (float)row[j];
  }
  free(row);
}
