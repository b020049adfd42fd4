void dot(int n, const double* x, const double* y, double* result) {
  long double sum = 0;
  for (int i = 0; i < n; ++i) sum += (long double)x[i] * y[i];
  *result = (double)sum;
}
