// Odd and even lanes take different formulas for the same factor, and leave out themselves by a branch.
// expect: OUTCOME_PASSED
// cudaperf: launch nbody_branches<<<ceil_div(n, 128), 128>>>(n, bodies, accelerations)
__global__ void nbody_branches(int n, const float* bodies, float* accelerations) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = bodies[4 * i], y = bodies[4 * i + 1], z = bodies[4 * i + 2];
  float ax = 0.0f, ay = 0.0f, az = 0.0f;
  for (int j = 0; j < n; ++j) {
    if (j == i) continue;
    float dx = bodies[4 * j] - x, dy = bodies[4 * j + 1] - y, dz = bodies[4 * j + 2] - z;
    float square = dx * dx + dy * dy + dz * dz + 0.01f;
    float factor;
    if ((i + j) % 2 == 0) {
      float inverse = rsqrtf(square);
      factor = bodies[4 * j + 3] * inverse * inverse * inverse;
    } else {
      factor = bodies[4 * j + 3] / (square * sqrtf(square));
    }
    ax += factor * dx;
    ay += factor * dy;
    az += factor * dz;
  }
  accelerations[3 * i] = ax;
  accelerations[3 * i + 1] = ay;
  accelerations[3 * i + 2] = az;
}
