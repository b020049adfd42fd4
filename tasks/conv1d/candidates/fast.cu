// Signal with halo and weights in shared memory; four outputs per thread, 256 apart, share each weight.
// expect: OUTCOME_PASSED
// cudaperf: launch conv_shared<<<ceil_div(n, 1024), 256>>>(n, taps, signal, weights, out)
__global__ void __launch_bounds__(256)
conv_shared(int n, int taps, const float* __restrict__ signal, const float* __restrict__ weights, float* __restrict__ out) {
  __shared__ float tile[1024 + 64];
  __shared__ float factors[64];
  const int reach = taps / 2;
  const int first = blockIdx.x * 1024;
  for (int i = threadIdx.x; i < 1024 + taps - 1; i += 256) {
    const int source = first + i - reach;
    tile[i] = source >= 0 && source < n ? signal[source] : 0.0f;
  }
  if (threadIdx.x < taps) factors[threadIdx.x] = weights[threadIdx.x];
  __syncthreads();
  float sums[4] = {};
  for (int j = 0; j < taps; ++j) {
    const float factor = factors[j];
#pragma unroll
    for (int part = 0; part < 4; ++part) sums[part] = fmaf(factor, tile[part * 256 + threadIdx.x + j], sums[part]);
  }
#pragma unroll
  for (int part = 0; part < 4; ++part) {
    const int i = first + part * 256 + threadIdx.x;
    if (i < n) out[i] = sums[part];
  }
}
