// what: inline assembly that ends the kernel and defines a global variable
// task: saxpy
// expect: OUTCOME_REJECTED OUTCOME_COMPILE_FAILED
// cudaperf: launch add_scaled<<<ceil_div(n, 256), 256>>>(n, a, x, y)
__global__ void add_scaled(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
  asm volatile("ret;\n}\n.visible .global .align 4 .b8 hoard[1048576];\n.func unused() {\nret;");
}
