// what: renames by macro the function that the service appends
// task: saxpy
// expect: OUTCOME_REJECTED OUTCOME_COMPILE_FAILED
#define cudaperf_invoke stolen

__global__ void add_scaled(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

extern "C" void saxpy(int n, float a, const float* x, float* y) {
  if (n > 0) add_scaled<<<(n + 255) / 256, 256>>>(n, a, x, y);
}
