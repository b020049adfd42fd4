// what: raises its own limits
// task: saxpy
// expect: OUTCOME_PASSED OUTCOME_CRASHED
// why: the answer is right only if every attempt was refused; killing the process for the attempt is right too
#include <sys/resource.h>
#include <sched.h>
#include <unistd.h>

static bool escaped() {
  for (int limit : {RLIMIT_AS, RLIMIT_NPROC, RLIMIT_FSIZE, RLIMIT_NOFILE, RLIMIT_CORE}) {
    rlimit now;
    if (getrlimit(static_cast<__rlimit_resource>(limit), &now) != 0) continue;
    rlimit more = {RLIM_INFINITY, RLIM_INFINITY};
    if (now.rlim_max != RLIM_INFINITY && setrlimit(static_cast<__rlimit_resource>(limit), &more) == 0) return true;
  }
  return nice(-20) == -20 || setuid(0) == 0 || setgid(0) == 0;
}

__global__ void add_scaled(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

extern "C" void saxpy(int n, float a, const float* x, float* y) {
  if (escaped()) return;
  if (n > 0) add_scaled<<<(n + 255) / 256, 256>>>(n, a, x, y);
}
