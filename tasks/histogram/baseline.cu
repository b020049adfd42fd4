// A histogram per block in shared memory, one byte per load, one global atomic per bin and block.
// cudaperf: launch histogram_clear<<<1, 256>>>(counts)
// cudaperf: launch histogram_shared<<<min(ceil_div(n, 1024), 2048), 256>>>(n, values, counts)
__global__ void histogram_clear(int* counts) { counts[threadIdx.x] = 0; }

__global__ void histogram_shared(int n, const unsigned char* values, int* counts) {
  __shared__ int bins[256];
  bins[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&bins[values[i]], 1);
  __syncthreads();
  atomicAdd(&counts[threadIdx.x], bins[threadIdx.x]);
}
