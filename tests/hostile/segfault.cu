// what: writes through a null pointer on the host
// task: saxpy
// expect: OUTCOME_CRASHED

__global__ void add_scaled(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

extern "C" void saxpy(int n, float a, const float* x, float* y) {
  *static_cast<volatile int*>(nullptr) = n;
}
