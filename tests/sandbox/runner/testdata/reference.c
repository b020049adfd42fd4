// A C reference: y = a * x + y over host memory. Writing its input must not reach the judge.
void cudaperf_invoke(void** a) {
  const int n = *(int*)a[0];
  float* x = *(float**)a[2];
  float* y = *(float**)a[3];
  for (int i = 0; i < n; ++i) y[i] = *(float*)a[1] * x[i] + y[i];
  for (int i = 0; i < n; ++i) x[i] = -1;
}
