// Value and index packed in one ordered 64-bit key: 128-bit loads, shuffles, one 64-bit atomic maximum per block.
// expect: OUTCOME_PASSED
// cudaperf: scratch uint64_t key[1]
// cudaperf: launch argmax_open<<<1, 1>>>(key)
// cudaperf: launch argmax_keys<<<min(ceil_div(n, 2048), 1056), 256>>>(n, x, key)
// cudaperf: launch argmax_unpack<<<1, 1>>>(x, key, value, index)
using Key = unsigned long long;

__device__ __forceinline__ Key key_of(float value, int index) {
  const unsigned bits = __float_as_uint(value + 0.0f);
  const unsigned ordered = bits & 0x80000000u ? ~bits : bits | 0x80000000u;
  return static_cast<Key>(ordered) << 32 | (0xffffffffu - static_cast<unsigned>(index));
}

__device__ __forceinline__ Key larger(Key a, Key b) { return a > b ? a : b; }

__device__ __forceinline__ Key largest_of_warp(Key key) {
#pragma unroll
  for (int distance = 16; distance > 0; distance /= 2) key = larger(key, __shfl_xor_sync(0xffffffffu, key, distance));
  return key;
}

__global__ void argmax_open(Key* key) { *key = 0; }

__global__ void __launch_bounds__(256) argmax_keys(int n, const float* __restrict__ x, Key* __restrict__ key) {
  __shared__ Key keys[8];
  const float4* quads = reinterpret_cast<const float4*>(x);
  const int quad_count = n / 4;
  Key best = 0;
  for (int i = blockIdx.x * 256 + threadIdx.x; i < quad_count; i += gridDim.x * 256) {
    const float4 quad = quads[i];
    const Key front = larger(key_of(quad.x, 4 * i), key_of(quad.y, 4 * i + 1));
    const Key back = larger(key_of(quad.z, 4 * i + 2), key_of(quad.w, 4 * i + 3));
    best = larger(best, larger(front, back));
  }
  const int rest = quad_count * 4 + static_cast<int>(threadIdx.x);
  if (blockIdx.x == 0 && rest < n) best = larger(best, key_of(x[rest], rest));
  best = largest_of_warp(best);
  if (threadIdx.x % 32 == 0) keys[threadIdx.x / 32] = best;
  __syncthreads();
  if (threadIdx.x >= 32) return;
  best = largest_of_warp(threadIdx.x < 8 ? keys[threadIdx.x] : 0);
  if (threadIdx.x == 0) atomicMax(key, best);
}

__global__ void argmax_unpack(const float* __restrict__ x, const Key* __restrict__ key, float* value, int* index) {
  const int best = static_cast<int>(0xffffffffu - static_cast<unsigned>(*key));
  *index = best;
  *value = x[best];
}
