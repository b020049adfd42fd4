// what: a global device array of a tebibyte
// task: saxpy
// expect: OUTCOME_COMPILE_FAILED OUTCOME_MEMORY_FAULT OUTCOME_REJECTED
// why: compilers may let it pass; then there is no memory to load it into
// cudaperf: launch add_scaled<<<ceil_div(n, 256), 256>>>(n, a, x, y)
__device__ char hoard[1ull << 40];

__global__ void add_scaled(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i] + hoard[i];
}
