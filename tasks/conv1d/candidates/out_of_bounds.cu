// Does not ask whether the signal reaches as far as the weights.
// expect: OUTCOME_MEMORY_FAULT
// cudaperf: launch conv_unguarded<<<ceil_div(n, 256), 256>>>(n, taps, signal, weights, out)
__global__ void conv_unguarded(int n, int taps, const float* signal, const float* weights, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0.0f;
  for (int j = 0; j < taps; ++j) sum += weights[j] * signal[i + j - taps / 2];
  out[i] = sum;
}
