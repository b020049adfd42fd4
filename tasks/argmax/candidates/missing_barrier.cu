// The first thread reads the winners of all warps before they have stored them.
// expect: OUTCOME_WRONG_RESULT
// cudaperf: launch argmax_hasty<<<1, 256>>>(n, x, value, index)
__global__ void argmax_hasty(int n, const float* x, float* value, int* index) {
  __shared__ int bests[256];
  int best = 0;
  for (int i = threadIdx.x; i < n; i += 256) {
    if (x[i] > x[best]) best = i;
  }
  bests[threadIdx.x] = best;
  if (threadIdx.x != 0) return;
  for (int other = 1; other < 256; ++other) {
    int where = bests[other];
    if (where < 0 || where >= n) continue;
    if (x[where] > x[best] || (x[where] == x[best] && where < best)) best = where;
  }
  *value = x[best];
  *index = best;
}
