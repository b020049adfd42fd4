// what: half a mebibyte of local memory for each of 1024 threads
// task: saxpy
// expect: OUTCOME_PASSED OUTCOME_TIMED_OUT OUTCOME_MEMORY_FAULT OUTCOME_COMPILE_FAILED OUTCOME_REJECTED
// why: hardware allows that much per thread; there may be too little for all
// cudaperf: launch hoarding<<<ceil_div(n, 1024), 1024>>>(n, a, x, y)
__global__ void hoarding(int n, float a, const float* x, float* y) {
  volatile float hoard[130000];
  int i = blockIdx.x * 1024 + threadIdx.x;
  if (i >= n) return;
  hoard[(i * 977) % 130000] = x[i];
  y[i] = a * hoard[(i * 977) % 130000] + y[i];
}
