// Every lane starts at another body, so that a warp loads 32 different places at once.
// expect: OUTCOME_PASSED
// cudaperf: launch nbody_scattered<<<ceil_div(n, 128), 128>>>(n, bodies, accelerations)
__global__ void nbody_scattered(int n, const float* bodies, float* accelerations) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = bodies[4 * i], y = bodies[4 * i + 1], z = bodies[4 * i + 2];
  float ax = 0.0f, ay = 0.0f, az = 0.0f;
  int j = static_cast<int>(i * 37LL % n);
  for (int turn = 0; turn < n; ++turn) {
    float dx = bodies[4 * j] - x, dy = bodies[4 * j + 1] - y, dz = bodies[4 * j + 2] - z;
    float square = dx * dx + dy * dy + dz * dz + 0.01f;
    float factor = bodies[4 * j + 3] / (square * sqrtf(square));
    ax += factor * dx;
    ay += factor * dy;
    az += factor * dz;
    if (++j == n) j = 0;
  }
  accelerations[3 * i] = ax;
  accelerations[3 * i + 1] = ay;
  accelerations[3 * i + 2] = az;
}
