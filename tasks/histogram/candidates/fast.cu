// Four private histograms per block in shared memory, sixteen bytes per load, one global atomic per bin and block.
// expect: OUTCOME_PASSED
// cudaperf: launch histogram_clear<<<1, 256>>>(counts)
// cudaperf: launch histogram_private<<<min(ceil_div(n, 8192), 1056), 256>>>(n, values, counts)
__global__ void histogram_clear(int* counts) { counts[threadIdx.x] = 0; }

__device__ __forceinline__ void count_word(int* bins, unsigned word) {
#pragma unroll
  for (int byte = 0; byte < 4; ++byte) atomicAdd(&bins[(word >> (8 * byte)) & 255u], 1);
}

__global__ void __launch_bounds__(256)
histogram_private(int n, const unsigned char* __restrict__ values, int* __restrict__ counts) {
  __shared__ int bins[4][257];
  for (int part = 0; part < 4; ++part) bins[part][threadIdx.x] = 0;
  __syncthreads();
  int* mine = bins[threadIdx.x / 64];
  const uint4* vectors = reinterpret_cast<const uint4*>(values);
  const int vector_count = n / 16;
  for (int i = blockIdx.x * 256 + threadIdx.x; i < vector_count; i += gridDim.x * 256) {
    const uint4 vector = vectors[i];
    count_word(mine, vector.x);
    count_word(mine, vector.y);
    count_word(mine, vector.z);
    count_word(mine, vector.w);
  }
  const int rest = vector_count * 16 + static_cast<int>(threadIdx.x);
  if (blockIdx.x == 0 && rest < n) atomicAdd(&mine[values[rest]], 1);
  __syncthreads();
  const int count = bins[0][threadIdx.x] + bins[1][threadIdx.x] + bins[2][threadIdx.x] + bins[3][threadIdx.x];
  if (count > 0) atomicAdd(&counts[threadIdx.x], count);
}
