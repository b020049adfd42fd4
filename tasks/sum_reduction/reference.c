void sum_reduction(int n, const float* x, float* result) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += x[i];
  *result = (float)sum;
}
