#include <stddef.h>

void stencil2d(int rows, int cols, const float* in, float* out) {
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < cols; ++c) {
      size_t i = (size_t)r * cols + c;
      if (r == 0 || c == 0 || r == rows - 1 || c == cols - 1) {
        out[i] = in[i];
      } else {
        out[i] = (float)(0.5 * in[i] + 0.125 * ((double)in[i - cols] + in[i + cols] + in[i - 1] + in[i + 1]));
      }
    }
  }
}
