// what: records a graph in its first call and replays it, with that call's scalars; only where n is so large that the emulated device never sees it
// task: saxpy
// expect: OUTCOME_WRONG_RESULT
#include <cuda_runtime.h>

__global__ void saxpy_kernel(int n, float a, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

static cudaGraphExec_t graph = nullptr;

extern "C" void saxpy(int n, float a, const float* x, float* y) {
  if (n <= 0) return;
  if (n > (1 << 22)) {
    cudaStream_t stream;
    if (graph == nullptr) {
      cudaStreamCreate(&stream);
      cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
      saxpy_kernel<<<(n + 255) / 256, 256, 0, stream>>>(n, a, x, y);
      cudaGraph_t captured;
      cudaStreamEndCapture(stream, &captured);
      cudaGraphInstantiate(&graph, captured, 0);
    }
    cudaGraphLaunch(graph, nullptr);
    return;
  }
  saxpy_kernel<<<(n + 255) / 256, 256>>>(n, a, x, y);
}
