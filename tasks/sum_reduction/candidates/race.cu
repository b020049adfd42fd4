// Adds to the result without an atomic: the lanes of a warp overwrite each other.
// expect: OUTCOME_WRONG_RESULT
// cudaperf: launch sum_clear<<<1, 1>>>(result)
// cudaperf: launch sum_racing<<<ceil_div(n, 256), 256>>>(n, x, result)
__global__ void sum_clear(float* result) { *result = 0.0f; }

__global__ void sum_racing(int n, const float* x, float* result) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) *result += x[i];
}
