// What the judge does on the device itself: draws inputs, compares outputs, looks at guards. Compiled to PTX when the
// project is built and to the device's code by its driver. Names are KERNEL_TYPE.
#include <cuda_fp16.h>

#include <cstdint>

namespace {

// Counter-based: element i of a stream is a function of the stream's key and i alone. The mixing function is splitmix64's
// finalizer (Steele, Lea, Flood 2014); keys come from the operating system, new ones for every call.
__device__ uint64_t Mix(uint64_t x) {
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9ull;
  x ^= x >> 27;
  x *= 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

__device__ uint64_t Word(uint64_t key, uint64_t i) { return Mix(Mix(i * 0x9e3779b97f4a7c15ull + key) ^ key); }

// In [0, 1).
__device__ double Unit(uint64_t key, uint64_t i) { return static_cast<double>(Word(key, i) >> 11) * 0x1p-53; }

// Uniform in [0, span); span 0 stands for 2^64.
__device__ uint64_t Below(uint64_t key, uint64_t i, uint64_t span) {
  return span == 0 ? Word(key, i) : __umul64hi(Word(key, i), span);
}

__device__ int64_t Begin() { return blockIdx.x * static_cast<int64_t>(blockDim.x) + threadIdx.x; }
__device__ int64_t Step() { return gridDim.x * static_cast<int64_t>(blockDim.x); }

template <typename T, typename Value>
__device__ T Stored(Value value) {
  return static_cast<T>(value);
}
template <>
__device__ __half Stored<__half, double>(double value) {
  return __double2half(value);
}
template <>
__device__ __half Stored<__half, int64_t>(int64_t value) {
  return __double2half(static_cast<double>(value));
}

__device__ double Real(float value) { return value; }
__device__ double Real(double value) { return value; }
__device__ double Real(__half value) { return static_cast<double>(__half2float(value)); }

template <typename T>
__device__ void FillUniform(T* out, int64_t n, uint64_t key, double min, double max) {
  for (int64_t i = Begin(); i < n; i += Step()) {
    const T value = Stored<T>(min + (max - min) * Unit(key, i));
    // Rounding may reach the end that the interval does not hold.
    out[i] = value < Stored<T>(max) ? value : Stored<T>(min);
  }
}

template <typename T>
__device__ void FillNormal(T* out, int64_t n, uint64_t key, double mean, double stddev) {
  for (int64_t i = Begin(); i < n; i += Step()) {
    const double radius = sqrt(-2 * log(1 - Unit(key, 2 * i)));
    out[i] = Stored<T>(mean + stddev * radius * cospi(2 * Unit(key, 2 * i + 1)));
  }
}

template <typename T>
__device__ void FillInteger(T* out, int64_t n, uint64_t key, int64_t min, uint64_t span) {
  for (int64_t i = Begin(); i < n; i += Step()) {
    out[i] = Stored<T>(static_cast<int64_t>(static_cast<uint64_t>(min) + Below(key, i, span)));
  }
}

template <typename T>
__device__ void FillSorted(T* out, int64_t n, uint64_t key, double min, double max) {
  for (int64_t i = Begin(); i < n; i += Step()) {
    out[i] = Stored<T>(min + (max - min) * ((i + Unit(key, i)) / n));
  }
}

// A bijection of 0 .. n-1: four rounds of a Feistel network over the next even power of two, walked until inside.
__device__ uint64_t Permute(uint64_t key, uint64_t i, uint64_t n, int half_bits) {
  const uint64_t mask = (1ull << half_bits) - 1;
  do {
    uint64_t left = i >> half_bits;
    uint64_t right = i & mask;
    for (uint64_t round = 0; round < 4; ++round) {
      const uint64_t next = left ^ (Word(key + round, right) & mask);
      left = right;
      right = next;
    }
    i = (left << half_bits) | right;
  } while (i >= n);
  return i;
}

template <typename T>
__device__ void FillPermutation(T* out, int64_t n, uint64_t key, int half_bits) {
  for (int64_t i = Begin(); i < n; i += Step()) {
    out[i] = Stored<T>(static_cast<int64_t>(Permute(key, i, n, half_bits)));
  }
}

// n - 1 rows that hold `total` entries; row lengths between none and twice the mean.
template <typename T>
__device__ void FillRowOffsets(T* out, int64_t n, uint64_t key, int64_t total) {
  for (int64_t i = Begin(); i < n; i += Step()) {
    const double share = i == 0 ? 0 : i == n - 1 ? 1 : (i - 0.5 + Unit(key, i)) / (n - 1);
    out[i] = Stored<T>(static_cast<int64_t>(share * total));
  }
}

template <typename T>
__device__ void FillColumns(T* out, int64_t n, uint64_t key, const void* row_offsets, int64_t offset_count,
                            int offset_bytes, int64_t columns) {
  const auto offset = [&](int64_t row) -> int64_t {
    return offset_bytes == 8 ? static_cast<const int64_t*>(row_offsets)[row] : static_cast<const int32_t*>(row_offsets)[row];
  };
  for (int64_t i = Begin(); i < n; i += Step()) {
    // The last row that begins at or before i.
    int64_t low = 0;
    int64_t high = offset_count - 1;
    while (high - low > 1) {
      const int64_t middle = (low + high) / 2;
      (offset(middle) <= i ? low : high) = middle;
    }
    const int64_t first = offset(low);
    const int64_t length = offset(low + 1) - first;
    const double place = (i - first + Unit(key, i)) / length;
    const int64_t column = static_cast<int64_t>(place * columns);
    out[i] = Stored<T>(column < columns ? column : columns - 1);
  }
}

__device__ void AddToTotal(unsigned long long* total, unsigned long long count) {
  for (int distance = 16; distance > 0; distance /= 2) count += __shfl_down_sync(~0u, count, distance);
  if (threadIdx.x % 32 == 0 && count != 0) atomicAdd(total, count);
}

template <typename T>
__device__ bool IsRight(T got, T expected, double relative, double absolute, int allow_non_finite) {
  const double have = Real(got);
  const double want = Real(expected);
  if (!isfinite(want)) return allow_non_finite && (isnan(want) ? isnan(have) : have == want);
  return fabs(have - want) <= relative * fabs(want) + absolute;
}

template <typename T>
__device__ void CountWrongReal(const T* got, const T* expected, int64_t n, double relative, double absolute,
                               int allow_non_finite, unsigned long long* total) {
  unsigned long long count = 0;
  for (int64_t i = Begin(); i < n; i += Step()) {
    count += !IsRight(got[i], expected[i], relative, absolute, allow_non_finite);
  }
  AddToTotal(total, count);
}

template <typename T>
__device__ void CountWrongInteger(const T* got, const T* expected, int64_t n, unsigned long long* total) {
  unsigned long long count = 0;
  for (int64_t i = Begin(); i < n; i += Step()) count += got[i] != expected[i];
  AddToTotal(total, count);
}

template <typename T>
__device__ void SumSquares(const T* values, int64_t n, double* total) {
  double sum = 0;
  for (int64_t i = Begin(); i < n; i += Step()) {
    const double value = Real(values[i]);
    if (isfinite(value)) sum += value * value;
  }
  for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_down_sync(~0u, sum, distance);
  if (threadIdx.x % 32 == 0) atomicAdd(total, sum);
}

}  // namespace

#define CUDAPERF_FILLS(NAME, T)                                                                                       \
  extern "C" __global__ void uniform_##NAME(T* out, int64_t n, uint64_t key, double min, double max) {               \
    FillUniform(out, n, key, min, max);                                                                               \
  }                                                                                                                   \
  extern "C" __global__ void normal_##NAME(T* out, int64_t n, uint64_t key, double mean, double stddev) {            \
    FillNormal(out, n, key, mean, stddev);                                                                            \
  }                                                                                                                   \
  extern "C" __global__ void integer_##NAME(T* out, int64_t n, uint64_t key, int64_t min, uint64_t span) {           \
    FillInteger(out, n, key, min, span);                                                                              \
  }                                                                                                                   \
  extern "C" __global__ void sorted_##NAME(T* out, int64_t n, uint64_t key, double min, double max) {                \
    FillSorted(out, n, key, min, max);                                                                                \
  }                                                                                                                   \
  extern "C" __global__ void permutation_##NAME(T* out, int64_t n, uint64_t key, int half_bits) {                    \
    FillPermutation(out, n, key, half_bits);                                                                          \
  }                                                                                                                   \
  extern "C" __global__ void row_offsets_##NAME(T* out, int64_t n, uint64_t key, int64_t total) {                    \
    FillRowOffsets(out, n, key, total);                                                                               \
  }                                                                                                                   \
  extern "C" __global__ void columns_##NAME(T* out, int64_t n, uint64_t key, const void* row_offsets,                \
                                            int64_t offset_count, int offset_bytes, int64_t columns) {               \
    FillColumns(out, n, key, row_offsets, offset_count, offset_bytes, columns);                                       \
  }

#define CUDAPERF_REAL(NAME, T)                                                                                        \
  CUDAPERF_FILLS(NAME, T)                                                                                             \
  extern "C" __global__ void wrong_##NAME(const T* got, const T* expected, int64_t n, double relative,               \
                                          double absolute, int allow_non_finite, unsigned long long* total) {        \
    CountWrongReal(got, expected, n, relative, absolute, allow_non_finite, total);                                    \
  }                                                                                                                   \
  extern "C" __global__ void squares_##NAME(const T* values, int64_t n, double* total) { SumSquares(values, n, total); }

#define CUDAPERF_INTEGER(NAME, T)                                                                                     \
  CUDAPERF_FILLS(NAME, T)                                                                                             \
  extern "C" __global__ void wrong_##NAME(const T* got, const T* expected, int64_t n, double, double, int,           \
                                          unsigned long long* total) {                                               \
    CountWrongInteger(got, expected, n, total);                                                                       \
  }

CUDAPERF_INTEGER(i8, int8_t)
CUDAPERF_INTEGER(u8, uint8_t)
CUDAPERF_INTEGER(i32, int32_t)
CUDAPERF_INTEGER(u32, uint32_t)
CUDAPERF_INTEGER(i64, int64_t)
CUDAPERF_INTEGER(u64, uint64_t)
CUDAPERF_REAL(f16, __half)
CUDAPERF_REAL(f32, float)
CUDAPERF_REAL(f64, double)

// Keeps every multiprocessor busy for some time, so that its clock does not fall between calls that are timed.
extern "C" __global__ void busy(int64_t nanoseconds, float* never_written) {
  uint64_t start, now;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(start));
  float value = threadIdx.x;
  do {
    for (int i = 0; i < 256; ++i) value = fmaf(value, 1.0001f, 0.5f);
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
  } while (now - start < nanoseconds);
  if (value == 0.123f) *never_written = value;
}

extern "C" __global__ void other_than(const uint8_t* bytes, int64_t n, int value, unsigned long long* total) {
  unsigned long long count = 0;
  for (int64_t i = Begin(); i < n; i += Step()) count += bytes[i] != value;
  AddToTotal(total, count);
}
