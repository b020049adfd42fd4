// what: instantiates three hundred deprecated calls: a warning for each
// task: saxpy
// expect: OUTCOME_PASSED OUTCOME_COMPILE_FAILED
// why: it computes the right answer; the log is bounded, and so is the time
// cudaperf: launch add_scaled<<<ceil_div(n, 256), 256>>>(n, a, x, y)
template <int kIndex>
[[deprecated("a long text that is repeated, and repeated, and repeated, and repeated, and repeated, and repeated again")]]
__device__ float old(float value) {
  int unused;
  return value;
}

template <int kFirst, int kCount>
__device__ float call(float value) {
  if constexpr (kCount == 1) {
    return old<kFirst>(value);
  } else {
    return call<kFirst, kCount / 2>(call<kFirst + kCount / 2, kCount - kCount / 2>(value));
  }
}

__global__ void add_scaled(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * call<0, 300>(x[i]) + y[i];
}
