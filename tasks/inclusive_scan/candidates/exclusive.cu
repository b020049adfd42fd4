// Leaves the element itself out of its sum.
// expect: OUTCOME_WRONG_RESULT
// cudaperf: launch scan_exclusive<<<1, 32>>>(n, in, out)
__global__ void scan_exclusive(int n, const int* in, int* out) {
  int carry = 0;
  for (int first = 0; first < n; first += 32) {
    int i = first + threadIdx.x;
    int own = i < n ? in[i] : 0;
    int value = own;
    for (int distance = 1; distance < 32; distance *= 2) {
      int left = __shfl_up_sync(0xffffffffu, value, distance);
      if (threadIdx.x >= distance) value += left;
    }
    if (i < n) out[i] = carry + value - own;
    carry += __shfl_sync(0xffffffffu, value, 31);
  }
}
