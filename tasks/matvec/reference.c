#include <stddef.h>

void matvec(int rows, int cols, const _Float16* a, const _Float16* x, _Float16* y) {
  for (int row = 0; row < rows; ++row) {
    double sum = 0;
    for (int column = 0; column < cols; ++column) sum += (double)a[(size_t)row * cols + column] * (double)x[column];
    y[row] = (_Float16)sum;
  }
}
