// what: doubles template instantiations until memory or time is gone
// task: saxpy
// expect: OUTCOME_COMPILE_FAILED
// cudaperf: launch add_scaled<<<ceil_div(n, 256), 256>>>(n, a, x, y)
template <int kDepth, unsigned long long kPath>
struct Bomb {
  static constexpr unsigned long long value = Bomb<kDepth - 1, 2 * kPath>::value + Bomb<kDepth - 1, 2 * kPath + 1>::value;
};
template <unsigned long long kPath>
struct Bomb<0, kPath> {
  static constexpr unsigned long long value = kPath;
};

__global__ void add_scaled(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i] + (Bomb<40, 1>::value == 0 ? 1 : 0);
}
