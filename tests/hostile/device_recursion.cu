// what: a device function that calls itself without end
// task: saxpy
// expect: OUTCOME_MEMORY_FAULT OUTCOME_TIMED_OUT
// cudaperf: launch recursing<<<1, 32>>>(n, y)
__device__ __noinline__ float deeper(volatile float* above, int depth) {
  volatile float frame[64];
  frame[depth & 63] = above[0] + depth;
  return deeper(frame, depth + 1) + frame[depth & 31];
}

__global__ void recursing(int n, float* y) { y[0] = deeper(y, n); }
