// what: recurses on the host for ever
// task: saxpy
// expect: OUTCOME_CRASHED

__global__ void add_scaled(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

extern "C" void saxpy(int n, float a, const float* x, float* y) {
  struct Recursion {
    static int Go(volatile char* above, int depth) {
      volatile char frame[4096];
      frame[depth % 4096] = above[0];
      return Go(frame, depth + 1) + frame[1];
    }
  };
  char top[1] = {0};
  y[0] = Recursion::Go(top, n);
}
