#include <stddef.h>

void transpose(int rows, int cols, const int* in, int* out) {
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < cols; ++column) out[(size_t)column * rows + row] = in[(size_t)row * cols + column];
  }
}
