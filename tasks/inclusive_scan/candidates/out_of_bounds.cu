// Writes the sum one place too far to the right, as an exclusive scan with a total would.
// expect: OUTCOME_MEMORY_FAULT
// cudaperf: launch scan_shifted<<<1, 1>>>(n, in, out)
__global__ void scan_shifted(int n, const int* in, int* out) {
  int sum = 0;
  out[0] = 0;
  for (int i = 0; i < n; ++i) {
    sum += in[i];
    out[i + 1] = sum;
  }
}
