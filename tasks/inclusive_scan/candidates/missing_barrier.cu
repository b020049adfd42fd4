// Hillis and Steele without barriers: a warp adds what its neighbours have or have not stored yet.
// expect: OUTCOME_WRONG_RESULT
// cudaperf: launch scan_hasty<<<1, 1024>>>(n, in, out)
__global__ void scan_hasty(int n, const int* in, int* out) {
  __shared__ int values[1024];
  int carry = 0;
  for (int first = 0; first < n; first += 1024) {
    int i = first + threadIdx.x;
    values[threadIdx.x] = i < n ? in[i] : 0;
    __syncthreads();
    for (int distance = 1; distance < 1024; distance *= 2) {
      int left = threadIdx.x >= distance ? values[threadIdx.x - distance] : 0;
      values[threadIdx.x] += left;
    }
    __syncthreads();
    if (i < n) out[i] = carry + values[threadIdx.x];
    carry += values[1023];
    __syncthreads();
  }
}
