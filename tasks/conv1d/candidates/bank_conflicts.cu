// Signal in shared memory, but each thread computes 32 neighbouring outputs: all lanes in one bank.
// expect: OUTCOME_PASSED
// cudaperf: launch conv_one_bank<<<ceil_div(n, 2048), 64>>>(n, taps, signal, weights, out)
__global__ void conv_one_bank(int n, int taps, const float* signal, const float* weights, float* out) {
  __shared__ float tile[2048 + 64];
  int first = blockIdx.x * 2048;
  for (int i = threadIdx.x; i < 2048 + taps - 1; i += 64) {
    int source = first + i - taps / 2;
    tile[i] = source >= 0 && source < n ? signal[source] : 0.0f;
  }
  __syncthreads();
  for (int offset = 0; offset < 32; ++offset) {
    int mine = threadIdx.x * 32 + offset;
    float sum = 0.0f;
    for (int j = 0; j < taps; ++j) sum += weights[j] * tile[mine + j];
    if (first + mine < n) out[first + mine] = sum;
  }
}
