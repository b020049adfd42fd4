// Takes the signal beyond the block's own 256 elements for zero.
// expect: OUTCOME_WRONG_RESULT
// cudaperf: launch conv_no_halo<<<ceil_div(n, 256), 256>>>(n, taps, signal, weights, out)
__global__ void conv_no_halo(int n, int taps, const float* signal, const float* weights, float* out) {
  __shared__ float tile[256];
  int i = blockIdx.x * 256 + threadIdx.x;
  tile[threadIdx.x] = i < n ? signal[i] : 0.0f;
  __syncthreads();
  if (i >= n) return;
  float sum = 0.0f;
  for (int j = 0; j < taps; ++j) {
    int source = static_cast<int>(threadIdx.x) + j - taps / 2;
    if (source >= 0 && source < 256) sum += weights[j] * tile[source];
  }
  out[i] = sum;
}
