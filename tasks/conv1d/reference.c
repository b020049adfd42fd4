void conv1d(int n, int taps, const float* signal, const float* weights, float* out) {
  int reach = taps / 2;
  for (int i = 0; i < n; ++i) {
    double sum = 0;
    for (int j = 0; j < taps; ++j) {
      int source = i + j - reach;
      if (source >= 0 && source < n) sum += (double)weights[j] * signal[source];
    }
    out[i] = (float)sum;
  }
}
