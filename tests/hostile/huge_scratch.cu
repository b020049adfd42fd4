// what: asks for a tebibyte of scratch memory
// task: saxpy
// expect: OUTCOME_REJECTED OUTCOME_MEMORY_FAULT
// cudaperf: scratch float hoard[1099511627776]
// cudaperf: launch add_scaled<<<ceil_div(n, 256), 256>>>(n, a, x, y, hoard)
__global__ void add_scaled(int n, float a, const float* x, float* y, float* hoard) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}
