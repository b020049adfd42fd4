// Each thread computes 16 neighbouring outputs: lanes are 64 bytes apart.
// expect: OUTCOME_PASSED
// cudaperf: launch conv_runs<<<ceil_div(n, 16 * 128), 128>>>(n, taps, signal, weights, out)
__global__ void conv_runs(int n, int taps, const float* signal, const float* weights, float* out) {
  int begin = (blockIdx.x * blockDim.x + threadIdx.x) * 16;
  for (int i = begin; i < begin + 16 && i < n; ++i) {
    float sum = 0.0f;
    for (int j = 0; j < taps; ++j) {
      int source = i + j - taps / 2;
      if (source >= 0 && source < n) sum += weights[j] * signal[source];
    }
    out[i] = sum;
  }
}
