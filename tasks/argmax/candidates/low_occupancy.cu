// One block of one warp searches everything.
// expect: OUTCOME_PASSED
// cudaperf: launch argmax_alone<<<1, 32>>>(n, x, value, index)
__global__ void argmax_alone(int n, const float* x, float* value, int* index) {
  float best = x[0];
  int where = 0;
  for (int i = threadIdx.x; i < n; i += 32) {
    if (x[i] > best) {
      best = x[i];
      where = i;
    }
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    float other = __shfl_xor_sync(0xffffffffu, best, distance);
    int other_where = __shfl_xor_sync(0xffffffffu, where, distance);
    if (other > best || (other == best && other_where < where)) {
      best = other;
      where = other_where;
    }
  }
  if (threadIdx.x == 0) {
    *value = best;
    *index = where;
  }
}
