// what: claims to be another file and a line number beyond all bounds
// task: saxpy
// expect: OUTCOME_PASSED
// why: a name in a #line directive is only text; nobody opens the file to quote it
// never: root:x:0
// cudaperf: launch add_scaled<<<ceil_div(n, 256), 256>>>(n, a, x, y)
#line 2147483000 "/etc/passwd"
__global__ void add_scaled(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * 32 + threadIdx.x;
  for (i = (blockIdx.x * blockDim.x + threadIdx.x); i < n; i += n) y[i] = a * x[i] + y[i];
}
