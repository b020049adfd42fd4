// what: computes only when it is called for the first time
// task: saxpy
// expect: OUTCOME_WRONG_RESULT OUTCOME_PASSED
// why: passes only where every call gets a process of its own, and then every answer was computed

__global__ void add_scaled(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

extern "C" void saxpy(int n, float a, const float* x, float* y) {
  static bool answered = false;
  if (answered) return;
  answered = true;
  if (n > 0) add_scaled<<<(n + 255) / 256, 256>>>(n, a, x, y);
}
