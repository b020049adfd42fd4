// 128-bit loads, four accumulators, shuffles, one atomic per block.
// expect: OUTCOME_PASSED
// cudaperf: launch sum_clear<<<1, 1>>>(result)
// cudaperf: launch sum_quads<<<min(ceil_div(n, 2048), 1056), 256>>>(n, x, result)
__global__ void sum_clear(float* result) { *result = 0.0f; }

__device__ __forceinline__ float sum_of_warp(float value) {
#pragma unroll
  for (int distance = 16; distance > 0; distance /= 2) value += __shfl_down_sync(0xffffffffu, value, distance);
  return value;
}

__global__ void __launch_bounds__(256) sum_quads(int n, const float* __restrict__ x, float* __restrict__ result) {
  __shared__ float sums[8];
  const float4* quads = reinterpret_cast<const float4*>(x);
  const int quad_count = n / 4;
  float a = 0.0f, b = 0.0f, c = 0.0f, d = 0.0f;
  for (int i = blockIdx.x * 256 + threadIdx.x; i < quad_count; i += gridDim.x * 256) {
    const float4 quad = quads[i];
    a += quad.x;
    b += quad.y;
    c += quad.z;
    d += quad.w;
  }
  const int rest = quad_count * 4 + static_cast<int>(threadIdx.x);
  if (blockIdx.x == 0 && rest < n) a += x[rest];
  float sum = sum_of_warp((a + b) + (c + d));
  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x < 32) {
    sum = sum_of_warp(threadIdx.x < 8 ? sums[threadIdx.x] : 0.0f);
    if (threadIdx.x == 0) atomicAdd(result, sum);
  }
}
