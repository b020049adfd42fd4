void saxpy(int n, float a, const float* x, float* y) {
  for (int i = 0; i < n; ++i) y[i] = (float)((double)a * x[i] + y[i]);
}
