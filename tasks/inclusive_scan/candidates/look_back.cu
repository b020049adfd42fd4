// Single pass: each tile publishes its sum, then looks back at the tiles before it until one knows its whole prefix.
// expect: OUTCOME_PASSED
// cudaperf: scratch uint64_t states[ceil_div(n, 512)]
// cudaperf: scratch int next_tile[1]
// cudaperf: launch scan_open<<<ceil_div(ceil_div(n, 512), 256), 256>>>(ceil_div(n, 512), states, next_tile)
// cudaperf: launch scan_look_back<<<ceil_div(n, 512), 512>>>(n, in, out, states, next_tile)
using State = unsigned long long;

// A state is a flag in the upper half (0 nothing yet, 1 the tile's sum, 2 the prefix up to and with the tile) and a value.
__device__ State make_state(unsigned flag, int value) { return static_cast<State>(flag) << 32 | static_cast<unsigned>(value); }

__global__ void scan_open(int tile_count, State* states, int* next_tile) {
  int tile = blockIdx.x * 256 + threadIdx.x;
  if (tile < tile_count) states[tile] = 0;
  if (tile == 0) *next_tile = 0;
}

__device__ int prefix_before(int tile, volatile State* states) {
  int prefix = 0;
  for (int previous = tile - 1; previous >= 0;) {
    State state = states[previous];
    unsigned flag = static_cast<unsigned>(state >> 32);
    if (flag == 0) continue;
    prefix += static_cast<int>(static_cast<unsigned>(state));
    if (flag == 2) break;
    --previous;
  }
  return prefix;
}

__global__ void scan_look_back(int n, const int* in, int* out, State* states, int* next_tile) {
  __shared__ int sums[16];
  __shared__ int tile, prefix;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  if (threadIdx.x == 0) tile = atomicAdd(next_tile, 1);
  __syncthreads();
  const int i = tile * 512 + threadIdx.x;
  int value = i < n ? in[i] : 0;
  for (int distance = 1; distance < 32; distance *= 2) {
    int left = __shfl_up_sync(0xffffffffu, value, distance);
    if (lane >= distance) value += left;
  }
  if (lane == 31) sums[warp] = value;
  __syncthreads();
  int before = 0;
  for (int other = 0; other < warp; ++other) before += sums[other];
  if (threadIdx.x == 511) {
    volatile State* published = states;
    published[tile] = make_state(tile == 0 ? 2 : 1, before + value);
    __threadfence();
    prefix = prefix_before(tile, published);
    if (tile > 0) published[tile] = make_state(2, prefix + before + value);
  }
  __syncthreads();
  if (i < n) out[i] = prefix + before + value;
}
