// what: asks which host files exist, and answers wrongly if it finds any
// task: saxpy
// expect: OUTCOME_PASSED OUTCOME_REJECTED
// why: right answer only if the compiler sees none of them
// cudaperf: launch add_scaled<<<ceil_div(n, 256), 256>>>(n, a, x, y)
#if __has_include("/etc/shadow") || __has_include("/root/.profile") || __has_include("/var/lib/dpkg/status") || \
    __has_include("/proc/1/environ")
#define FOUND 1
#else
#define FOUND 0
#endif

__global__ void add_scaled(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i] + FOUND;
}
