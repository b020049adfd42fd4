#include <math.h>

void nbody(int n, const float* bodies, float* accelerations) {
  for (int i = 0; i < n; ++i) {
    double ax = 0, ay = 0, az = 0;
    for (int j = 0; j < n; ++j) {
      double dx = (double)bodies[4 * j] - bodies[4 * i];
      double dy = (double)bodies[4 * j + 1] - bodies[4 * i + 1];
      double dz = (double)bodies[4 * j + 2] - bodies[4 * i + 2];
      double square = dx * dx + dy * dy + dz * dz + 0.01;
      double factor = bodies[4 * j + 3] / (square * sqrt(square));
      ax += factor * dx;
      ay += factor * dy;
      az += factor * dz;
    }
    accelerations[3 * i] = (float)ax;
    accelerations[3 * i + 1] = (float)ay;
    accelerations[3 * i + 2] = (float)az;
  }
}
