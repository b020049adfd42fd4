// One warp scans everything, 32 elements at a time.
// expect: OUTCOME_PASSED
// cudaperf: launch scan_alone<<<1, 32>>>(n, in, out)
__global__ void scan_alone(int n, const int* in, int* out) {
  int carry = 0;
  for (int first = 0; first < n; first += 32) {
    int i = first + threadIdx.x;
    int value = i < n ? in[i] : 0;
    for (int distance = 1; distance < 32; distance *= 2) {
      int left = __shfl_up_sync(0xffffffffu, value, distance);
      if (threadIdx.x >= distance) value += left;
    }
    value += carry;
    if (i < n) out[i] = value;
    carry = __shfl_sync(0xffffffffu, value, 31);
  }
}
