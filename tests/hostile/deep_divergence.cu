// what: every lane takes a path of its own through a switch of loops
// task: saxpy
// expect: OUTCOME_PASSED
// why: slow, bounded, and the answer is right
// cudaperf: launch scattering<<<ceil_div(n, 32), 32>>>(n, a, x, y)
__global__ void scattering(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * 32 + threadIdx.x;
  if (i >= n) return;
  float sum = 0.0f;
  for (int turn = 0; turn <= (i * 7 + turn) % 8; ++turn) {
    if (((i >> turn) & 1) != 0) {
      for (int inner = 0; inner < (i + turn) % 5; ++inner) sum += static_cast<const volatile float*>(x)[i] * 0.0f;
    } else {
      sum -= static_cast<const volatile float*>(x)[i] * 0.0f;
    }
  }
  y[i] = a * x[i] + y[i] + sum;
}
