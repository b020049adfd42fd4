#ifndef CUDAPERF_TESTS_SANDBOX_CUPTI_KERNELS_H_
#define CUDAPERF_TESTS_SANDBOX_CUPTI_KERNELS_H_

namespace cudaperf::sandbox {

// Kernels whose counters are known by reading them. All take (input, output, elements).
inline constexpr char kKernels[] = R"cuda(
extern "C" {

__global__ void nothing(const float* in, float* out, int n) {}

__global__ void copy(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i];
}

// n is a power of two, so that 33 reaches every element.
__global__ void copy_strided(const float* in, float* out, int n) {
  unsigned i = ((unsigned)(blockIdx.x * blockDim.x + threadIdx.x) * 33u) & (unsigned)(n - 1);
  out[i] = in[i];
}

__global__ void copy_float4(const float4* in, float4* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i];
}

// All lanes read one word.
__global__ void broadcast(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i >> 5];
}

// Half of the warps have no lane that loads.
__global__ void guarded(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = 1.0f;
  if ((i & 32) == 0) x = in[i];
  out[i] = x;
}

__global__ void multiply_add(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float a = in[i], b = a + 1.0f;
#pragma unroll 1
  for (int k = 0; k < 64; ++k) {
    a = fmaf(a, b, a);
    b = fmaf(b, a, b);
  }
  out[i] = a * b;
}

__global__ void multiply_add_half(const unsigned* in, unsigned* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned a = in[i], b = in[i] ^ 1u;
#pragma unroll 1
  for (int k = 0; k < 64; ++k) asm volatile("fma.rn.f16x2 %0, %0, %1, %0;" : "+r"(a) : "r"(b));
  out[i] = a;
}

__global__ void multiply_add_double(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double a = in[i], b = 1.5;
#pragma unroll 1
  for (int k = 0; k < 64; ++k) asm volatile("fma.rn.f64 %0, %0, %1, %0;" : "+d"(a) : "d"(b));
  out[i] = (float)a;
}

__global__ void special(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float a = in[i];
#pragma unroll 1
  for (int k = 0; k < 64; ++k) asm volatile("ex2.approx.ftz.f32 %0, %0;" : "+f"(a));
  out[i] = a;
}

// The lanes of every warp part ways once per round.
__global__ void diverge(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float a = in[i];
#pragma unroll 1
  for (int k = 0; k < 16; ++k) {
    if ((threadIdx.x + k) & 1) {
#pragma unroll 1
      for (int j = 0; j < 4; ++j) asm volatile("ex2.approx.ftz.f32 %0, %0;" : "+f"(a));
    } else {
#pragma unroll 1
      for (int j = 0; j < 5; ++j) asm volatile("sin.approx.ftz.f32 %0, %0;" : "+f"(a));
    }
  }
  out[i] = a;
}

// 32 lanes in one bank: 31 conflicts per request.
__global__ void conflict(const float* in, float* out, int n) {
  __shared__ volatile float tile[32 * 32];
  int lane = threadIdx.x & 31, i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[lane * 32 + (threadIdx.x >> 5)] = in[i];
  __syncthreads();
  out[i] = tile[lane * 32 + (threadIdx.x >> 5)];
}

__global__ void count_atomics(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(out + (i & 1023), in[i]);
}

__global__ void barriers(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float a = in[i];
#pragma unroll 1
  for (int k = 0; k < 32; ++k) {
    if ((threadIdx.x >> 5) == (k & 7)) asm volatile("ex2.approx.ftz.f32 %0, %0;" : "+f"(a));
    __syncthreads();
  }
  out[i] = a;
}

// One m16n8k16 product per warp and round: 16 * 8 * 16 multiply-adds.
__global__ void matrix(const unsigned* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned a = in[i] & 0x3c003c00u;
  float c0 = 0, c1 = 0, c2 = 0, c3 = 0;
#pragma unroll 1
  for (int k = 0; k < 64; ++k) {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%4,%4,%4}, {%4,%4}, {%0,%1,%2,%3};"
        : "+f"(c0), "+f"(c1), "+f"(c2), "+f"(c3) : "r"(a));
  }
  out[i] = c0 + c1 + c2 + c3;
}

__global__ void write_nowhere(const float* in, float* out, int n) { *(volatile float*)(16) = 1; }

}
)cuda";

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_TESTS_SANDBOX_CUPTI_KERNELS_H_
