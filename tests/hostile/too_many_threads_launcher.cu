// what: launches blocks of 2048 threads
// task: saxpy
// expect: OUTCOME_WRONG_RESULT OUTCOME_MEMORY_FAULT

__global__ void add_scaled(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

extern "C" void saxpy(int n, float a, const float* x, float* y) {
  if (n > 0) add_scaled<<<(n + 2047) / 2048, 2048>>>(n, a, x, y);
}
