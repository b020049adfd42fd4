void argmax(int n, const float* x, float* value, int* index) {
  int best = 0;
  for (int i = 1; i < n; ++i) {
    if (x[i] > x[best]) best = i;
  }
  *value = x[best];
  *index = best;
}
