// Each thread walks 33 neighbouring elements, so the lanes of a warp are 132 bytes apart.
// expect: OUTCOME_PASSED
// cudaperf: launch saxpy_chunks<<<ceil_div(n, 256 * 33), 256>>>(n, a, x, y)
__global__ void saxpy_chunks(int n, float a, const float* x, float* y) {
  int begin = (blockIdx.x * blockDim.x + threadIdx.x) * 33;
  for (int i = begin; i < begin + 33 && i < n; ++i) y[i] = a * x[i] + y[i];
}
