// A pair of value and index per thread, tree in shared memory per block, one block over the blocks' winners.
// cudaperf: scratch float best_value[min(ceil_div(n, 256), 2048)]
// cudaperf: scratch int best_index[min(ceil_div(n, 256), 2048)]
// cudaperf: launch argmax_blocks<<<min(ceil_div(n, 256), 2048), 256>>>(n, x, best_value, best_index)
// cudaperf: launch argmax_finish<<<1, 256>>>(min(ceil_div(n, 256), 2048), best_value, best_index, value, index)
struct Best {
  float value;
  int index;
};

__device__ Best better(Best a, Best b) {
  if (b.value > a.value || (b.value == a.value && b.index < a.index)) return b;
  return a;
}

__device__ Best best_of_block(Best mine) {
  __shared__ Best bests[256];
  bests[threadIdx.x] = mine;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half) bests[threadIdx.x] = better(bests[threadIdx.x], bests[threadIdx.x + half]);
    __syncthreads();
  }
  return bests[0];
}

__global__ void argmax_blocks(int n, const float* x, float* best_value, int* best_index) {
  int first = blockIdx.x * blockDim.x + threadIdx.x;
  Best best = {x[0], 0};
  for (int i = first; i < n; i += gridDim.x * blockDim.x) best = better(best, Best{x[i], i});
  best = best_of_block(best);
  if (threadIdx.x != 0) return;
  best_value[blockIdx.x] = best.value;
  best_index[blockIdx.x] = best.index;
}

__global__ void argmax_finish(int count, const float* best_value, const int* best_index, float* value, int* index) {
  Best best = {best_value[0], best_index[0]};
  for (int i = threadIdx.x; i < count; i += blockDim.x) best = better(best, Best{best_value[i], best_index[i]});
  best = best_of_block(best);
  if (threadIdx.x != 0) return;
  *value = best.value;
  *index = best.index;
}
