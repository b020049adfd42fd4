void histogram(int n, const unsigned char* values, int* counts) {
  for (int bin = 0; bin < 256; ++bin) counts[bin] = 0;
  for (int i = 0; i < n; ++i) ++counts[values[i]];
}
