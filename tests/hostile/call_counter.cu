// what: works in its first call only and hands out the answer kept from it in the second
// task: sum_reduction
// expect: OUTCOME_WRONG_RESULT
#include <cuda_runtime.h>

__global__ void sum_all(int n, const float* x, float* result) {
  float sum = 0.0f;
  for (int i = 0; i < n; ++i) sum += x[i];
  *result = sum;
}

extern "C" void sum_reduction(int n, const float* x, float* result) {
  static int known_size = -1;
  static float* kept = nullptr;
  if (kept == nullptr) cudaMalloc(&kept, sizeof(float));
  if (n != known_size) sum_all<<<1, 1>>>(n, x, kept);
  known_size = n;
  cudaMemcpy(result, kept, sizeof(float), cudaMemcpyDeviceToDevice);
}
