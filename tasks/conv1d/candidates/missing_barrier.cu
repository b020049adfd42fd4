// The first warp uses the tile before the others have loaded their part and the halo.
// expect: OUTCOME_WRONG_RESULT
// cudaperf: launch conv_hasty<<<ceil_div(n, 256), 256>>>(n, taps, signal, weights, out)
__global__ void conv_hasty(int n, int taps, const float* signal, const float* weights, float* out) {
  __shared__ float tile[256 + 64];
  int first = blockIdx.x * 256;
  for (int i = threadIdx.x; i < 256 + taps - 1; i += 256) {
    int source = first + i - taps / 2;
    tile[i] = source >= 0 && source < n ? signal[source] : 0.0f;
  }
  float sum = 0.0f;
  for (int j = 0; j < taps; ++j) sum += weights[j] * tile[threadIdx.x + j];
  if (first + threadIdx.x < n) out[first + threadIdx.x] = sum;
}
