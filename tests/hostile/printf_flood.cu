// what: prints eight lines from every thread
// task: saxpy
// expect: OUTCOME_PASSED OUTCOME_TIMED_OUT
// why: nobody reads it and the answer is right
// cudaperf: launch chatting<<<ceil_div(n, 256), 256>>>(n, a, x, y)
extern "C" __device__ int printf(const char*, ...);

__global__ void chatting(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  for (int turn = 0; turn < 8; ++turn) printf("element %d, turn %d of a kernel that talks too much\n", i, turn);
  y[i] = a * x[i] + y[i];
}
