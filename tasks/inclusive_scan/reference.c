void inclusive_scan(int n, const int* in, int* out) {
  unsigned sum = 0;
  for (int i = 0; i < n; ++i) {
    sum += (unsigned)in[i];
    out[i] = (int)sum;
  }
}
