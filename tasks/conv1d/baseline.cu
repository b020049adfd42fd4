// One output per thread, signal and weights from global memory.
// cudaperf: launch conv_naive<<<ceil_div(n, 256), 256>>>(n, taps, signal, weights, out)
__global__ void conv_naive(int n, int taps, const float* signal, const float* weights, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0.0f;
  for (int j = 0; j < taps; ++j) {
    int source = i + j - taps / 2;
    if (source >= 0 && source < n) sum += weights[j] * signal[source];
  }
  out[i] = sum;
}
