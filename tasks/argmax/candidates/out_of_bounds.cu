// Rounds the length up to whole warps of work and searches what lies behind the vector too.
// expect: OUTCOME_MEMORY_FAULT
// cudaperf: launch argmax_rounded<<<1, 32>>>(ceil_div(n, 32) * 32, x, value, index)
#include <math_constants.h>

__global__ void argmax_rounded(int rounded, const float* x, float* value, int* index) {
  float best = -CUDART_INF_F;
  int where = 0;
  for (int i = threadIdx.x; i < rounded; i += 32) {
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
