// One block of 128 threads per row; maximum and sum by trees in shared memory; three passes over the row.
// cudaperf: launch softmax_blocks<<<rows, 128>>>(rows, cols, in, out)
#include <math_constants.h>

__global__ void softmax_blocks(int rows, int cols, const float* in, float* out) {
  __shared__ float shared[128];
  const float* x = in + static_cast<long long>(blockIdx.x) * cols;
  float* y = out + static_cast<long long>(blockIdx.x) * cols;
  float largest = -CUDART_INF_F;
  for (int c = threadIdx.x; c < cols; c += 128) largest = fmaxf(largest, x[c]);
  shared[threadIdx.x] = largest;
  __syncthreads();
  for (int half = 64; half > 0; half /= 2) {
    if (threadIdx.x < half) shared[threadIdx.x] = fmaxf(shared[threadIdx.x], shared[threadIdx.x + half]);
    __syncthreads();
  }
  largest = shared[0];
  __syncthreads();
  float sum = 0.0f;
  for (int c = threadIdx.x; c < cols; c += 128) sum += expf(x[c] - largest);
  shared[threadIdx.x] = sum;
  __syncthreads();
  for (int half = 64; half > 0; half /= 2) {
    if (threadIdx.x < half) shared[threadIdx.x] += shared[threadIdx.x + half];
    __syncthreads();
  }
  sum = shared[0];
  for (int c = threadIdx.x; c < cols; c += 128) y[c] = expf(x[c] - largest) / sum;
}
