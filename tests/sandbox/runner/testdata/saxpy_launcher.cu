// A launcher with device pointers: y = a * x + y. The mode makes it misbehave.
#include <cuda_runtime.h>
#include <unistd.h>

#include <csignal>

__global__ void Saxpy(int n, float a, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

__global__ void Stray(float* y) { y[1 << 20] = 1; }

// How cooperative groups' grid barrier finds its workspace; the header itself doubles the compile time.
__global__ void GridBarrier(float* y) {
  unsigned workspace;
  asm volatile("mov.u32 %0, %%envreg2;" : "=r"(workspace));
  if (workspace == 0) asm volatile("trap;");
  y[0] = 0;
}

extern "C" void saxpy(int n, float a, const float* x, float* y, int mode) {
  if (mode == 1) Stray<<<1, 1>>>(y);
  if (mode == 2) {
    cudaGraph_t graph;
    cudaGraphCreate(&graph, 0);
  }
  if (mode == 3) raise(SIGSEGV);
  if (mode == 4) _exit(0);
  if (mode == 5) cudaMemcpy(const_cast<float*>(x), y, 4, cudaMemcpyDeviceToDevice);
  if (mode == 6) {
    void* arguments[] = {&y};
    cudaLaunchCooperativeKernel(reinterpret_cast<void*>(GridBarrier), dim3(2), dim3(32), arguments, 0, nullptr);
  }
  if (mode == 7) {
    float* pinned = nullptr;
    cudaMallocHost(&pinned, n * sizeof(float));
    Saxpy<<<1, 256>>>(n, a, pinned, y);
  }
  Saxpy<<<(n + 255) / 256, 256>>>(n, a, x, y);
}

extern "C" void cudaperf_invoke(void** a) {
  saxpy(*static_cast<int*>(a[0]), *static_cast<float*>(a[1]), *static_cast<float**>(a[2]), *static_cast<float**>(a[3]),
        *static_cast<int*>(a[4]));
}
