// Takes the later element when two are equal.
// expect: OUTCOME_WRONG_RESULT
// cudaperf: launch argmax_latest<<<1, 256>>>(n, x, value, index)
__global__ void argmax_latest(int n, const float* x, float* value, int* index) {
  __shared__ int bests[256];
  int best = 0;
  for (int i = threadIdx.x; i < n; i += 256) {
    if (x[i] >= x[best]) best = i;
  }
  bests[threadIdx.x] = best;
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (int other = 1; other < 256; ++other) {
    if (x[bests[other]] >= x[best]) best = bests[other];
  }
  *value = x[best];
  *index = best;
}
