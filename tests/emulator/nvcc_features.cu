// Kernels as people write them, one for each thing that the plain ones in nvcc_kernels.cu do without.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_pipeline.h>
#include <mma.h>

#include <cuda/barrier>

namespace cg = cooperative_groups;
using namespace nvcuda;

template <int M, int N, int K, class In, class Precision, class Out, class LayoutA, class LayoutB>
__device__ void Tile(const In* a, const In* b, Out* c, int lda, int ldb) {
  wmma::fragment<wmma::matrix_a, M, N, K, Precision, LayoutA> fa;
  wmma::fragment<wmma::matrix_b, M, N, K, Precision, LayoutB> fb;
  wmma::fragment<wmma::accumulator, M, N, K, Out> fc;
  wmma::load_matrix_sync(fc, c, N, wmma::mem_row_major);
  wmma::load_matrix_sync(fa, a, lda);
  wmma::load_matrix_sync(fb, b, ldb);
  wmma::mma_sync(fc, fa, fb, fc);
  for (int i = 0; i < fc.num_elements; i++) fc.x[i] = fc.x[i] + Out(1);
  wmma::store_matrix_sync(c, fc, N, wmma::mem_row_major);
}

using Row = wmma::row_major;
using Column = wmma::col_major;
extern "C" {
__global__ void tile_f16(const half* a, const half* b, float* c) {
  Tile<16, 16, 16, half, half, float, Row, Column>(a, b, c, 16, 16);
}
__global__ void tile_f16_tall(const half* a, const half* b, float* c) {
  Tile<32, 8, 16, half, half, float, Column, Row>(a, b, c, 32, 8);
}
__global__ void tile_f16_wide(const half* a, const half* b, half* c) {
  Tile<8, 32, 16, half, half, half, Row, Row>(a, b, c, 16, 32);
}
__global__ void tile_bf16(const __nv_bfloat16* a, const __nv_bfloat16* b, float* c) {
  Tile<32, 8, 16, __nv_bfloat16, __nv_bfloat16, float, Row, Column>(a, b, c, 16, 16);
}
__global__ void tile_s8(const signed char* a, const signed char* b, int* c) {
  Tile<16, 16, 16, signed char, signed char, int, Row, Column>(a, b, c, 16, 16);
}
__global__ void tile_u8(const unsigned char* a, const unsigned char* b, int* c) {
  Tile<8, 32, 16, unsigned char, unsigned char, int, Column, Row>(a, b, c, 8, 32);
}
__global__ void tile_tf32(const float* a, const float* b, float* c) {
  Tile<16, 16, 8, float, wmma::precision::tf32, float, Row, Row>(a, b, c, 8, 16);
}
__global__ void tile_f64(const double* a, const double* b, double* c) {
  Tile<8, 8, 4, double, double, double, Row, Column>(a, b, c, 4, 4);
}
}

typedef float (*Operation)(float, float);
__device__ float Sum(float a, float b) { return a + b; }
__device__ float Product(float a, float b) { return a * b; }
__device__ float Difference(float a, float b) { return a - b; }
__device__ Operation operations[3] = {Sum, Product, Difference};
extern "C" __global__ void table_of_functions(float* out, int n) {
  out[threadIdx.x] = operations[(threadIdx.x + n) % 3](threadIdx.x, 2.f);
}

struct Shape {
  __device__ virtual float Area() const { return 0; }
  float width;
};
struct Square : Shape {
  __device__ float Area() const override { return width * width; }
};
struct Disc : Shape {
  __device__ float Area() const override { return 3 * width * width; }
};
extern "C" __global__ void virtual_functions(float* out) {
  Square square;
  Disc disc;
  square.width = disc.width = threadIdx.x;
  const Shape* shape = threadIdx.x % 2 ? static_cast<Shape*>(&square) : static_cast<Shape*>(&disc);
  out[threadIdx.x] = shape->Area();
}

__device__ __noinline__ int Fibonacci(int n) { return n < 2 ? n : Fibonacci(n - 1) + Fibonacci(n - 2); }
extern "C" __global__ void recursion(int* out) { out[threadIdx.x] = Fibonacci(threadIdx.x % 10); }

// Each frame's array is its own, and its address goes down.
__device__ __noinline__ int Chain(int n, const int* above) {
  int own[4];
  for (int k = 0; k < 4; ++k) own[k] = n * k + above[(n + k) & 3];
  if (n == 0) return own[3];
  const int below = Chain(n - 1, own);
  return below + own[n & 3];
}
extern "C" __global__ void chain(int* out, int n) {
  const int start[4] = {1, 2, 3, 4};
  out[threadIdx.x] = Chain(n, start);
}

extern "C" __global__ void grid_barrier(float* a, float* b, int n) {
  const auto grid = cg::this_grid();
  for (int i = grid.thread_rank(); i < n; i += grid.size()) b[i] = a[i] * 2;
  grid.sync();
  for (int i = grid.thread_rank(); i < n; i += grid.size()) a[i] = b[(i + 1) % n];
}

extern "C" __global__ void block_barrier(const int* a, int* out) {
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  __shared__ int shared[96];
  if (threadIdx.x == 0) init(&barrier, blockDim.x);
  __syncthreads();
  for (int turn = 0; turn < 3; turn++) {
    shared[threadIdx.x] = a[threadIdx.x] + turn;
    barrier.arrive_and_wait();
    out[threadIdx.x] += shared[(threadIdx.x + 1) % blockDim.x];
    auto token = barrier.arrive();
    barrier.wait(std::move(token));
  }
}

extern "C" __global__ void packed_integers(const unsigned* a, const unsigned* b, unsigned* out) {
  const int i = threadIdx.x;
  out[i] = __vabsdiffu4(a[i], b[i]);
  out[32 + i] = __vadd2(a[i], b[i]);
  out[64 + i] = __vmaxs2(a[i], b[i]);
  out[96 + i] = __vsadu4(a[i], b[i]);
}

extern "C" __global__ void eight_bit_floats(const float* x, float* y) {
  y[threadIdx.x] = float(__nv_fp8_e4m3(x[threadIdx.x]));
}

// One pass over keys and values by row blocks, with a running maximum.
extern "C" __global__ void flash_attention(const float* q, const float* k, const float* v, float* out, int n) {
  constexpr int kDim = 32;
  __shared__ float keys[32][kDim + 1], values[32][kDim + 1];
  const int lane = threadIdx.x, row = blockIdx.x * 8 + threadIdx.y;
  const float own = row < n ? q[row * kDim + lane] : 0;
  float most = -INFINITY, sum = 0, result = 0;
  for (int t = 0; t < n; t += 32) {
    for (int r = threadIdx.y; r < 32; r += 8) {
      keys[r][lane] = t + r < n ? k[(t + r) * kDim + lane] : 0;
      values[r][lane] = t + r < n ? v[(t + r) * kDim + lane] : 0;
    }
    __syncthreads();
    float score = 0;
    for (int d = 0; d < kDim; d++) score += __shfl_sync(~0u, own, d) * keys[lane][d];
    score = t + lane < n ? score * rsqrtf(kDim) : -INFINITY;
    float high = score;
    for (int o = 16; o; o /= 2) high = fmaxf(high, __shfl_xor_sync(~0u, high, o));
    const float now = fmaxf(most, high), scale = __expf(most - now), weight = __expf(score - now);
    float weights = weight;
    for (int o = 16; o; o /= 2) weights += __shfl_xor_sync(~0u, weights, o);
    sum = sum * scale + weights;
    result *= scale;
    for (int d = 0; d < 32; d++) result += __shfl_sync(~0u, weight, d) * values[d][lane];
    most = now;
    __syncthreads();
  }
  if (row < n) out[row * kDim + lane] = result / sum;
}

extern "C" __global__ void rms_norm(const __nv_bfloat162* x, __nv_bfloat162* y, int pairs) {
  __shared__ float partial[4];
  float squares = 0;
  for (int i = threadIdx.x; i < pairs; i += 128) {
    const float2 f = __bfloat1622float2(x[blockIdx.x * pairs + i]);
    squares += f.x * f.x + f.y * f.y;
  }
  for (int o = 16; o; o /= 2) squares += __shfl_xor_sync(~0u, squares, o);
  if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = squares;
  __syncthreads();
  const float scale = rsqrtf((partial[0] + partial[1] + partial[2] + partial[3]) / (2 * pairs));
  for (int i = threadIdx.x; i < pairs; i += 128) {
    const float2 f = __bfloat1622float2(x[blockIdx.x * pairs + i]);
    y[blockIdx.x * pairs + i] = __floats2bfloat162_rn(f.x * scale, f.y * scale);
  }
}

extern "C" __global__ void rope(float* q, int dim, float base) {
  const int position = blockIdx.x, d = threadIdx.x;
  float s, c;
  sincosf(position * powf(base, -2.f * d / dim), &s, &c);
  float2* pair = reinterpret_cast<float2*>(q + position * dim) + d;
  const float2 old = *pair;
  *pair = make_float2(old.x * c - old.y * s, old.x * s + old.y * c);
}

extern "C" __global__ void embedding(const int* ids, const half* table, half* out, int dim) {
  const int4* from = reinterpret_cast<const int4*>(table + ids[blockIdx.x] * dim);
  int4* to = reinterpret_cast<int4*>(out + blockIdx.x * dim);
  for (int i = threadIdx.x; i < dim / 8; i += blockDim.x) __stcs(to + i, __ldcg(from + i));
}

// Two warps load, two compute, with named barriers between them.
extern "C" __global__ void specialised_warps(const float* x, float* y, int n) {
  __shared__ float buffer[2][64];
  if (threadIdx.x < 64) {
    for (int t = 0, s = 0; t < n; t += 64, s ^= 1) {
      asm volatile("bar.sync %0, 128;" ::"r"(1 + s) : "memory");
      buffer[s][threadIdx.x] = x[t + threadIdx.x];
      asm volatile("bar.arrive %0, 128;" ::"r"(3 + s) : "memory");
    }
    return;
  }
  const int lane = threadIdx.x - 64;
  asm volatile("bar.arrive 1, 128;");
  asm volatile("bar.arrive 2, 128;");
  for (int t = 0, s = 0; t < n; t += 64, s ^= 1) {
    asm volatile("bar.sync %0, 128;" ::"r"(3 + s) : "memory");
    y[t + lane] = buffer[s][63 - lane] * 2;
    if (t + 128 < n) asm volatile("bar.arrive %0, 128;" ::"r"(1 + s) : "memory");
  }
}

extern "C" __global__ void pipeline(const int4* x, int4* y, int n) {
  __shared__ int4 stages[2][128];
  const int t = threadIdx.x;
  __pipeline_memcpy_async(&stages[0][t], x + t, 16);
  __pipeline_commit();
  for (int i = 0; i < n; i++) {
    if (i + 1 < n) __pipeline_memcpy_async(&stages[(i + 1) & 1][t], x + (i + 1) * 128 + t, 16);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    int4 v = stages[i & 1][127 - t];
    v.x++;
    y[i * 128 + t] = v;
    __syncthreads();
  }
}

extern "C" __global__ void groups(const int* x, int* sums, int* scans) {
  const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  const int i = threadIdx.x;
  sums[i] = cg::reduce(tile, x[i], cg::plus<int>());
  scans[i] = cg::inclusive_scan(tile, x[i]);
  if (x[i] & 1) sums[i] += 1000 * cg::coalesced_threads().size();
}

// Batched, tiled through shared memory with padding, ReLU on the fragment.
extern "C" __global__ void batched_gemm(const half* a, const half* b, float* c, int n) {
  a += blockIdx.z * n * n;
  b += blockIdx.z * n * n;
  c += blockIdx.z * n * n;
  __shared__ half as[32][24], bs[16][40];
  const int warp = threadIdx.x / 32, row = warp / 2, column = warp % 2;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.f);
  for (int k = 0; k < n; k += 16) {
    for (int i = threadIdx.x; i < 512; i += 128) {
      as[i / 16][i % 16] = a[(blockIdx.y * 32 + i / 16) * n + k + i % 16];
      bs[i / 32][i % 32] = b[(k + i / 32) * n + blockIdx.x * 32 + i % 32];
    }
    __syncthreads();
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, Row> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, Row> fb;
    wmma::load_matrix_sync(fa, &as[row * 16][0], 24);
    wmma::load_matrix_sync(fb, &bs[0][column * 16], 40);
    wmma::mma_sync(sum, fa, fb, sum);
    __syncthreads();
  }
  for (int i = 0; i < sum.num_elements; i++) sum.x[i] = fmaxf(sum.x[i], 0.f);
  wmma::store_matrix_sync(c + (blockIdx.y * 32 + row * 16) * n + blockIdx.x * 32 + column * 16, sum, n,
                          wmma::mem_row_major);
}
