#include <math.h>
#include <stddef.h>

void softmax(int rows, int cols, const float* in, float* out) {
  for (int row = 0; row < rows; ++row) {
    const float* x = in + (size_t)row * cols;
    float* y = out + (size_t)row * cols;
    double largest = x[0], sum = 0;
    for (int c = 1; c < cols; ++c) largest = x[c] > largest ? x[c] : largest;
    for (int c = 0; c < cols; ++c) sum += exp(x[c] - largest);
    for (int c = 0; c < cols; ++c) y[c] = (float)(exp(x[c] - largest) / sum);
  }
}
