// One element per thread, neighbouring threads on neighbouring elements.
// cudaperf: launch saxpy<<<ceil_div(n, 256), 256>>>(n, a, x, y)
__global__ void saxpy(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}
