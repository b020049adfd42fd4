// Each thread searches 64 neighbouring elements: lanes are 256 bytes apart.
// expect: OUTCOME_PASSED
// cudaperf: scratch float best_value[ceil_div(n, 64)]
// cudaperf: scratch int best_index[ceil_div(n, 64)]
// cudaperf: launch argmax_chunks<<<ceil_div(n, 64 * 128), 128>>>(n, x, best_value, best_index)
// cudaperf: launch argmax_one_warp<<<1, 32>>>(ceil_div(n, 64), best_value, best_index, value, index)
#include <math_constants.h>

__global__ void argmax_chunks(int n, const float* x, float* best_value, int* best_index) {
  int chunk = blockIdx.x * blockDim.x + threadIdx.x;
  int begin = chunk * 64;
  if (begin >= n) return;
  int best = begin;
  for (int i = begin + 1; i < begin + 64 && i < n; ++i) {
    if (x[i] > x[best]) best = i;
  }
  best_value[chunk] = x[best];
  best_index[chunk] = best;
}

__global__ void argmax_one_warp(int count, const float* best_value, const int* best_index, float* value, int* index) {
  float best = -CUDART_INF_F;
  int where = 0x7fffffff;
  for (int i = threadIdx.x; i < count; i += 32) {
    if (best_value[i] > best || where == 0x7fffffff) {
      best = best_value[i];
      where = best_index[i];
    }
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    float other = __shfl_down_sync(0xffffffffu, best, distance);
    int other_where = __shfl_down_sync(0xffffffffu, where, distance);
    if (other > best || (other == best && other_where < where)) {
      best = other;
      where = other_where;
    }
  }
  if (threadIdx.x != 0) return;
  *value = best;
  *index = where;
}
