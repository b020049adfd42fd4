// Kernels as people write them, for nvcc_test.cc.
#include <cooperative_groups.h>
#include <cuda_fp16.h>

#include <cassert>
#include <cstdio>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>

namespace cg = cooperative_groups;

__constant__ float filter_taps[8] = {1, 2, 3, 4, 5, 6, 7, 8};
__device__ int next_tile;

extern "C" __global__ void saxpy(int n, float a, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

template <typename T>
__device__ void MultiplyTile(const T* a, const T* b, T* c, int n) {
  __shared__ T ta[16][16], tb[16][16];
  const int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;
  T sum = T(0.0f);
  for (int t = 0; t < n; t += 16) {
    ta[threadIdx.y][threadIdx.x] = row < n && t + threadIdx.x < n ? a[row * n + t + threadIdx.x] : T(0.0f);
    tb[threadIdx.y][threadIdx.x] = column < n && t + threadIdx.y < n ? b[(t + threadIdx.y) * n + column] : T(0.0f);
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum += ta[threadIdx.y][k] * tb[k][threadIdx.x];
    __syncthreads();
  }
  if (row < n && column < n) c[row * n + column] = sum;
}
extern "C" __global__ void matmul_f32(const float* a, const float* b, float* c, int n) { MultiplyTile(a, b, c, n); }
extern "C" __global__ void matmul_f64(const double* a, const double* b, double* c, int n) { MultiplyTile(a, b, c, n); }
extern "C" __global__ void matmul_f16(const __half* a, const __half* b, __half* c, int n) { MultiplyTile(a, b, c, n); }

extern "C" __global__ void reduce(const float* x, float* out, int n) {
  extern __shared__ float partial[];
  float sum = 0;
  for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += gridDim.x * blockDim.x) sum += x[i];
  for (int offset = 16; offset; offset >>= 1) sum += __shfl_down_sync(~0u, sum, offset);
  if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x < 32) {
    sum = threadIdx.x < blockDim.x / 32 ? partial[threadIdx.x] : 0;
    for (int offset = 16; offset; offset >>= 1) sum += __shfl_down_sync(~0u, sum, offset);
    if (threadIdx.x == 0) atomicAdd(out, sum);
  }
}

// A tree in shared memory; the barrier stands in the loop.
extern "C" __global__ void tree_max(const float* x, float* best, int* where, int n) {
  __shared__ float values[256];
  __shared__ int indices[256];
  float value = -1e30f;
  int index = -1;
  for (int i = threadIdx.x; i < n; i += 256) {
    if (x[i] > value) { value = x[i]; index = i; }
  }
  values[threadIdx.x] = value;
  indices[threadIdx.x] = index;
  __syncthreads();
  for (int s = 128; s > 0; s >>= 1) {
    if (threadIdx.x < s && values[threadIdx.x + s] > values[threadIdx.x]) {
      values[threadIdx.x] = values[threadIdx.x + s];
      indices[threadIdx.x] = indices[threadIdx.x + s];
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) { *best = values[0]; *where = indices[0]; }
}

extern "C" __global__ void transpose(const float* in, float* out, int n) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) if (x < n && y + j < n) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) if (x < n && y + j < n) out[(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j];
}

extern "C" __global__ void convolve(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int k = 0; k < 8; ++k) if (i + k < n) sum += x[i + k] * filter_taps[k];
  y[i] = sum;
}

extern "C" __global__ void histogram(const unsigned char* x, int* bins, int n) {
  __shared__ int local[256];
  for (int i = threadIdx.x; i < 256; i += blockDim.x) local[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&local[x[i]], 1);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += blockDim.x) if (local[i]) atomicAdd(&bins[i], local[i]);
}

// Decoupled look-back, tiles taken in order.
extern "C" __global__ void scan(const int* x, int* y, volatile int* flags, volatile int* prefixes, int n) {
  __shared__ int tile, before;
  typedef cub::BlockScan<int, 128> Scan;
  __shared__ typename Scan::TempStorage storage;
  if (threadIdx.x == 0) tile = atomicAdd(&next_tile, 1);
  __syncthreads();
  const int i = tile * 128 + threadIdx.x;
  int value = i < n ? x[i] : 0, total;
  Scan(storage).InclusiveSum(value, value, total);
  if (threadIdx.x == 0) {
    int prefix = 0;
    if (tile > 0) {
      while (flags[tile - 1] == 0) {}
      __threadfence();
      prefix = prefixes[tile - 1];
    }
    prefixes[tile] = prefix + total;
    __threadfence();
    flags[tile] = 1;
    before = prefix;
  }
  __syncthreads();
  if (i < n) y[i] = value + before;
}

extern "C" __global__ void softmax(const float* x, float* y, int columns) {
  typedef cub::BlockReduce<float, 128> Reduce;
  __shared__ typename Reduce::TempStorage storage;
  __shared__ float shared;
  const float* row = x + blockIdx.x * columns;
  float most = -1e30f;
  for (int i = threadIdx.x; i < columns; i += 128) most = fmaxf(most, row[i]);
  most = Reduce(storage).Reduce(most, [](float a, float b) { return a > b ? a : b; });
  if (threadIdx.x == 0) shared = most;
  __syncthreads();
  most = shared;
  float sum = 0;
  for (int i = threadIdx.x; i < columns; i += 128) sum += expf(row[i] - most);
  __syncthreads();
  sum = Reduce(storage).Sum(sum);
  if (threadIdx.x == 0) shared = sum;
  __syncthreads();
  for (int i = threadIdx.x; i < columns; i += 128) y[blockIdx.x * columns + i] = expf(row[i] - most) / shared;
}

extern "C" __global__ void spmv(const int* offsets, const int* columns, const double* values, const double* x, double* y, int rows) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  double sum = 0;
  for (int k = offsets[row]; k < offsets[row + 1]; ++k) sum += values[k] * x[columns[k]];
  y[row] = sum;
}

extern "C" __global__ void nbody(const float4* bodies, float4* forces, int n) {
  __shared__ float4 tile[64];
  const int i = blockIdx.x * 64 + threadIdx.x;
  const float4 own = i < n ? bodies[i] : make_float4(0, 0, 0, 0);
  float3 force = make_float3(0, 0, 0);
  for (int t = 0; t < n; t += 64) {
    tile[threadIdx.x] = t + threadIdx.x < n ? bodies[t + threadIdx.x] : make_float4(0, 0, 0, 0);
    __syncthreads();
    for (int k = 0; k < 64; ++k) {
      const float dx = tile[k].x - own.x, dy = tile[k].y - own.y, dz = tile[k].z - own.z;
      const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-3f);
      const float scale = tile[k].w * inverse * inverse * inverse;
      force.x += dx * scale; force.y += dy * scale; force.z += dz * scale;
    }
    __syncthreads();
  }
  if (i < n) forces[i] = make_float4(force.x, force.y, force.z, 0);
}

__device__ __noinline__ float Stack(float x, int k) {
  float values[16];
  for (int i = 0; i < 16; ++i) values[i] = x * i;
  float sum = 0;
  for (int i = 0; i < k; ++i) sum += values[(i * 7) & 15];
  return sum;
}

extern "C" __global__ void calls(float* out, int k) {
  auto warp = cg::tiled_partition<8>(cg::this_thread_block());
  float value = threadIdx.x;
  for (int i = 4; i; i /= 2) value += warp.shfl_xor(value, i);
  if (k < 0) printf("k %d\n", k);
  assert(k < 1000);
  out[threadIdx.x] = Stack(threadIdx.x, k) + value + sinf(100000.0f * threadIdx.x) + (float)pow((double)threadIdx.x, 1.5);
}

extern "C" __global__ void half_pairs(__half2* x, const __half2* y, int n) {
  const int i = threadIdx.x;
  if (i < n) x[i] = __hfma2(x[i], y[i], __float2half2_rn(1.5f));
}
