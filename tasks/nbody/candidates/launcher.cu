// Host function: the bodies are split over the grid's second dimension, shares are added with atomics.
// expect: OUTCOME_PASSED
#include <cuda_runtime.h>

static constexpr int kTile = 128;
static constexpr int kSplits = 4;

__global__ void nbody_split(int n, const float4* __restrict__ bodies, float* accelerations) {
  __shared__ float4 tile[kTile];
  const int i = blockIdx.x * kTile + threadIdx.x;
  const float4 mine = bodies[i < n ? i : n - 1];
  float ax = 0.0f, ay = 0.0f, az = 0.0f;
  for (int first = blockIdx.y * kTile; first < n; first += kSplits * kTile) {
    if (first + threadIdx.x < n) tile[threadIdx.x] = bodies[first + threadIdx.x];
    __syncthreads();
    const int count = n - first < kTile ? n - first : kTile;
    for (int k = 0; k < count; ++k) {
      const float4 other = tile[k];
      const float dx = other.x - mine.x, dy = other.y - mine.y, dz = other.z - mine.z;
      const float inverse = rsqrtf(fmaf(dx, dx, fmaf(dy, dy, fmaf(dz, dz, 0.01f))));
      const float factor = other.w * inverse * inverse * inverse;
      ax = fmaf(factor, dx, ax);
      ay = fmaf(factor, dy, ay);
      az = fmaf(factor, dz, az);
    }
    __syncthreads();
  }
  if (i >= n) return;
  atomicAdd(&accelerations[3 * i], ax);
  atomicAdd(&accelerations[3 * i + 1], ay);
  atomicAdd(&accelerations[3 * i + 2], az);
}

extern "C" void nbody(int n, const float* bodies, float* accelerations) {
  if (n <= 0) return;
  cudaMemsetAsync(accelerations, 0, 3 * sizeof(float) * n);
  nbody_split<<<dim3((n + kTile - 1) / kTile, kSplits), kTile>>>(n, reinterpret_cast<const float4*>(bodies), accelerations);
}
