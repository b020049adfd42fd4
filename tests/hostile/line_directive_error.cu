// what: claims to be a host file and makes an error on its first line
// task: saxpy
// expect: OUTCOME_COMPILE_FAILED
// never: root:x:0
// cudaperf: launch add_scaled<<<ceil_div(n, 256), 256>>>(n, a, x, y)
#line 1 "/etc/passwd"
__global__ void add_scaled(int n, float a, const float* x, float* y) { y[n] = undeclared; }
