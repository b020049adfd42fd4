// One launcher that uses the CUDA runtime API group by group and checks what the calls return. Returns through `result`
// the line of the first expectation that did not hold, or 0. Built with -DSTANDALONE it is a program for a real GPU, so
// that the expectations can be checked against NVIDIA's runtime.
#include <cuda_runtime.h>

#include <cstring>
#include <vector>

#define EXPECT(condition) \
  if (!(condition)) return __LINE__
#define EXPECT_OK(call) EXPECT((call) == cudaSuccess)

__constant__ float coefficients[4];
__device__ int counter = 5;

__global__ void Scale(float* data, int n, float factor) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] *= factor;
}

__global__ void Polynomial(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = coefficients[0] + x[i] * (coefficients[1] + x[i] * coefficients[2]);
}

__global__ void Count(int n) {
  if (static_cast<int>(threadIdx.x) < n) atomicAdd(&counter, 1);
}

__global__ void Reverse(int* data) {
  extern __shared__ int staged[];
  staged[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = staged[blockDim.x - 1 - threadIdx.x];
}

struct Pair {
  char tag;
  double value;
  short more[3];
};

template <typename T>
__global__ void Mixed(char a, Pair pair, T b, short c, double* out) {
  out[0] = a + pair.tag + pair.value + pair.more[2] + b + c;
}

__global__ void FillIndex(int* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] = i;
}

static int Allocation() {
  void* p = reinterpret_cast<void*>(1);
  EXPECT_OK(cudaMalloc(&p, 0));
  EXPECT(p == nullptr);
  EXPECT_OK(cudaFree(nullptr));
  EXPECT_OK(cudaMalloc(&p, 1000));
  EXPECT(p != nullptr);
  cudaPointerAttributes attributes;
  EXPECT_OK(cudaPointerGetAttributes(&attributes, p));
  EXPECT(attributes.type == cudaMemoryTypeDevice);
  EXPECT_OK(cudaPointerGetAttributes(&attributes, &p));
  EXPECT(attributes.type == cudaMemoryTypeUnregistered);
  EXPECT_OK(cudaFree(p));
  EXPECT(cudaFree(p) == cudaErrorInvalidValue);
  EXPECT(cudaFree(&p) == cudaErrorInvalidValue);
  EXPECT(cudaMalloc(&p, size_t{1} << 50) == cudaErrorMemoryAllocation);
  EXPECT(cudaGetLastError() == cudaErrorMemoryAllocation);
  EXPECT(cudaGetLastError() == cudaSuccess);
  size_t pitch = 0;
  EXPECT_OK(cudaMallocPitch(&p, &pitch, 100, 3));
  EXPECT(pitch == 512);
  EXPECT_OK(cudaFree(p));
  void* host = nullptr;
  EXPECT_OK(cudaMallocHost(&host, 4096));
  std::memset(host, 1, 4096);
  EXPECT_OK(cudaPointerGetAttributes(&attributes, static_cast<char*>(host) + 4095));
  EXPECT(attributes.type == cudaMemoryTypeHost && attributes.device == 0);
  EXPECT_OK(cudaFreeHost(host));
  EXPECT(cudaFreeHost(&p) == cudaErrorInvalidValue);
  EXPECT_OK(cudaHostRegister(&p, sizeof(p), cudaHostRegisterDefault));
  EXPECT_OK(cudaHostUnregister(&p));
  EXPECT(cudaHostUnregister(&p) == cudaErrorHostMemoryNotRegistered);
  EXPECT(cudaGetLastError() == cudaErrorHostMemoryNotRegistered);
  EXPECT_OK(cudaHostAlloc(&host, 64, cudaHostAllocDefault));
  EXPECT_OK(cudaFreeHost(host));
  EXPECT_OK(cudaMallocAsync(&p, 256, nullptr));
  EXPECT_OK(cudaMemsetAsync(p, 0, 256, nullptr));
  EXPECT_OK(cudaFreeAsync(p, nullptr));
  EXPECT_OK(cudaStreamSynchronize(nullptr));
  size_t free_bytes = 0, total_bytes = 0;
  EXPECT_OK(cudaMemGetInfo(&free_bytes, &total_bytes));
  EXPECT(free_bytes > 0 && free_bytes <= total_bytes);
  return 0;
}

static int Copies() {
  std::vector<int> in(1000), out(1000);
  for (int i = 0; i < 1000; ++i) in[i] = i * 3;
  int *a = nullptr, *b = nullptr;
  EXPECT_OK(cudaMalloc(&a, 4000));
  EXPECT_OK(cudaMalloc(&b, 4000));
  EXPECT_OK(cudaMemcpy(a, in.data(), 4000, cudaMemcpyHostToDevice));
  EXPECT_OK(cudaMemcpy(b, a, 4000, cudaMemcpyDeviceToDevice));
  EXPECT_OK(cudaMemcpy(out.data(), b, 4000, cudaMemcpyDeviceToHost));
  EXPECT(in == out);
  EXPECT_OK(cudaMemset(b, 0xff, 2000));
  EXPECT_OK(cudaMemcpy(out.data(), b, 4000, cudaMemcpyDefault));
  EXPECT(out[499] == -1 && out[500] == 1500);
  EXPECT_OK(cudaMemcpyAsync(b, in.data(), 4000, cudaMemcpyDefault, nullptr));
  EXPECT_OK(cudaMemcpyAsync(out.data(), b + 10, 40, cudaMemcpyDeviceToHost, nullptr));
  EXPECT(out[0] == 30);
  EXPECT_OK(cudaMemcpy(out.data(), in.data(), 40, cudaMemcpyHostToHost));
  EXPECT(out[9] == 27);
  EXPECT_OK(cudaMemcpy(nullptr, nullptr, 0, cudaMemcpyHostToDevice));
  EXPECT(cudaMemcpy(nullptr, in.data(), 4, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  EXPECT(cudaMemcpy(out.data(), in.data(), 4, cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
  EXPECT(cudaMemcpy(a, in.data(), 4, cudaMemcpyDeviceToDevice) == cudaErrorInvalidValue);
  EXPECT(cudaMemcpy(a, in.data(), 4, static_cast<cudaMemcpyKind>(9)) == cudaErrorInvalidMemcpyDirection);
  EXPECT(cudaMemset(in.data(), 0, 4) == cudaErrorInvalidValue);
  EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
  EXPECT_OK(cudaFree(a));
  EXPECT_OK(cudaFree(b));
  return 0;
}

static int PitchedCopies() {
  int in[6][5], out[6][5];
  for (int i = 0; i < 30; ++i) in[i / 5][i % 5] = i;
  void* p = nullptr;
  size_t pitch = 0;
  EXPECT_OK(cudaMallocPitch(&p, &pitch, sizeof(in[0]), 6));
  EXPECT_OK(cudaMemset2D(p, pitch, 0, sizeof(in[0]), 6));
  EXPECT_OK(cudaMemcpy2D(p, pitch, in, sizeof(in[0]), sizeof(in[0]), 6, cudaMemcpyHostToDevice));
  int row[5];
  EXPECT_OK(cudaMemcpy(row, static_cast<char*>(p) + 3 * pitch, sizeof(row), cudaMemcpyDeviceToHost));
  EXPECT(row[0] == 15 && row[4] == 19);
  std::memset(out, 0, sizeof(out));
  EXPECT_OK(cudaMemcpy2D(out, sizeof(out[0]), p, pitch, 8, 6, cudaMemcpyDeviceToHost));
  EXPECT(out[5][0] == 25 && out[5][1] == 26 && out[5][2] == 0);
  EXPECT(cudaMemcpy2D(p, 4, in, 8, 8, 2, cudaMemcpyHostToDevice) == cudaErrorInvalidPitchValue);
  EXPECT(cudaGetLastError() == cudaErrorInvalidPitchValue);
  EXPECT_OK(cudaFree(p));

  cudaPitchedPtr volume;
  EXPECT_OK(cudaMalloc3D(&volume, make_cudaExtent(20, 3, 2)));
  cudaMemcpy3DParms parameters = {};
  parameters.srcPtr = make_cudaPitchedPtr(in, 20, 20, 3);
  parameters.dstPtr = volume;
  parameters.extent = make_cudaExtent(20, 3, 2);
  parameters.kind = cudaMemcpyHostToDevice;
  EXPECT_OK(cudaMemcpy3D(&parameters));
  EXPECT_OK(cudaMemcpy(row, static_cast<char*>(volume.ptr) + 4 * volume.pitch, sizeof(row), cudaMemcpyDeviceToHost));
  EXPECT(row[0] == 20);
  EXPECT_OK(cudaFree(volume.ptr));
  return 0;
}

static int Symbols() {
  const float values[4] = {1, 2, 3, 0};
  EXPECT_OK(cudaMemcpyToSymbol(coefficients, values, sizeof(values)));
  float back[2] = {};
  EXPECT_OK(cudaMemcpyFromSymbol(back, coefficients, 8, 4));
  EXPECT(back[0] == 2 && back[1] == 3);
  float x[3] = {0, 1, 2}, y[3];
  float *dx = nullptr, *dy = nullptr;
  EXPECT_OK(cudaMalloc(&dx, sizeof(x)));
  EXPECT_OK(cudaMalloc(&dy, sizeof(y)));
  EXPECT_OK(cudaMemcpy(dx, x, sizeof(x), cudaMemcpyHostToDevice));
  Polynomial<<<1, 32>>>(dx, dy, 3);
  EXPECT_OK(cudaGetLastError());
  EXPECT_OK(cudaMemcpy(y, dy, sizeof(y), cudaMemcpyDeviceToHost));
  EXPECT(y[0] == 1 && y[1] == 6 && y[2] == 17);
  const int five = 5;
  EXPECT_OK(cudaMemcpyToSymbol(counter, &five, sizeof(five)));
  Count<<<1, 64>>>(40);
  int count = 0;
  EXPECT_OK(cudaMemcpyFromSymbol(&count, counter, sizeof(count)));
  EXPECT(count == 45);
  void* address = nullptr;
  size_t size = 0;
  EXPECT_OK(cudaGetSymbolAddress(&address, counter));
  EXPECT_OK(cudaGetSymbolSize(&size, counter));
  EXPECT(size == 4);
  EXPECT_OK(cudaMemset(address, 0, 4));
  EXPECT_OK(cudaMemcpyFromSymbol(&count, counter, sizeof(count)));
  EXPECT(count == 0);
  EXPECT(cudaMemcpyToSymbol(counter, values, 16) == cudaErrorInvalidValue);
  EXPECT(cudaMemcpyToSymbol(static_cast<const void*>(x), x, 4) == cudaErrorInvalidSymbol);
  EXPECT(cudaGetLastError() == cudaErrorInvalidSymbol);
  EXPECT_OK(cudaFree(dx));
  EXPECT_OK(cudaFree(dy));
  return 0;
}

static void CUDART_CB Note(void* argument) { *static_cast<int*>(argument) = 7; }

static int StreamsAndEvents() {
  cudaStream_t stream = nullptr, other = nullptr;
  EXPECT_OK(cudaStreamCreate(&stream));
  EXPECT_OK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  cudaEvent_t start = nullptr, end = nullptr;
  EXPECT_OK(cudaEventCreate(&start));
  EXPECT_OK(cudaEventCreateWithFlags(&end, cudaEventDefault));
  float milliseconds = -1;
  EXPECT(cudaEventElapsedTime(&milliseconds, start, end) == cudaErrorInvalidResourceHandle);
  EXPECT(cudaGetLastError() == cudaErrorInvalidResourceHandle);
  float* data = nullptr;
  EXPECT_OK(cudaMallocAsync(&data, 400, stream));
  EXPECT_OK(cudaMemsetAsync(data, 0, 400, stream));
  EXPECT_OK(cudaEventRecord(start, stream));
  Scale<<<1, 128, 0, stream>>>(data, 100, 2.0f);
  EXPECT_OK(cudaEventRecord(end, stream));
  EXPECT_OK(cudaStreamWaitEvent(other, end, 0));
  EXPECT_OK(cudaEventSynchronize(end));
  EXPECT_OK(cudaEventQuery(end));
  EXPECT_OK(cudaEventElapsedTime(&milliseconds, start, end));
  EXPECT(milliseconds >= 0);
  int noted = 0;
  EXPECT_OK(cudaLaunchHostFunc(stream, Note, &noted));
  EXPECT_OK(cudaStreamSynchronize(stream));
  EXPECT(noted == 7);
  EXPECT_OK(cudaStreamQuery(stream));
  cudaStreamCaptureStatus status;
  EXPECT_OK(cudaStreamIsCapturing(stream, &status));
  EXPECT(status == cudaStreamCaptureStatusNone);
  int least = 1, greatest = 1;
  EXPECT_OK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  EXPECT(least == 0 && greatest == -5);
  EXPECT_OK(cudaFreeAsync(data, stream));
  EXPECT_OK(cudaEventDestroy(start));
  EXPECT_OK(cudaEventDestroy(end));
  EXPECT_OK(cudaStreamDestroy(stream));
  EXPECT_OK(cudaStreamDestroy(other));
  return 0;
}

static int DeviceQueries() {
  int count = 0, device = -1, value = 0;
  EXPECT_OK(cudaGetDeviceCount(&count));
  EXPECT(count == 1);
  EXPECT_OK(cudaSetDevice(0));
  EXPECT_OK(cudaGetDevice(&device));
  EXPECT(device == 0);
  EXPECT(cudaSetDevice(3) == cudaErrorInvalidDevice);
  EXPECT(cudaGetLastError() == cudaErrorInvalidDevice);
  cudaDeviceProp properties;
  EXPECT_OK(cudaGetDeviceProperties(&properties, 0));
  EXPECT(properties.major == 9 && properties.minor == 0 && properties.multiProcessorCount == 132);
  EXPECT(properties.warpSize == 32 && properties.sharedMemPerBlockOptin == 232448);
  EXPECT(properties.maxThreadsPerMultiProcessor == 2048 && properties.regsPerMultiprocessor == 65536);
  EXPECT(properties.maxThreadsDim[2] == 64 && properties.maxGridSize[1] == 65535);
  EXPECT(properties.l2CacheSize == 62914560 && properties.totalGlobalMem > 0);
  EXPECT_OK(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0));
  EXPECT(value == 132);
  EXPECT_OK(cudaDeviceGetAttribute(&value, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
  EXPECT(value == 232448);
  EXPECT_OK(cudaDeviceGetAttribute(&value, cudaDevAttrCooperativeLaunch, 0));
  EXPECT(value == 1);
  EXPECT(cudaDeviceGetAttribute(&value, static_cast<cudaDeviceAttr>(9999), 0) == cudaErrorInvalidValue);
  EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
  EXPECT_OK(cudaDriverGetVersion(&value));
  EXPECT(value == 13000);
  EXPECT_OK(cudaRuntimeGetVersion(&value));
  EXPECT(value == 13000);
  size_t limit = 0;
  EXPECT_OK(cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize));
  EXPECT(limit == 8388608);
  EXPECT_OK(cudaDeviceSetCacheConfig(cudaFuncCachePreferL1));
  EXPECT_OK(cudaDeviceSetCacheConfig(cudaFuncCachePreferNone));
  EXPECT(std::strcmp(cudaGetErrorName(cudaErrorIllegalAddress), "cudaErrorIllegalAddress") == 0);
  EXPECT(std::strcmp(cudaGetErrorString(cudaSuccess), "no error") == 0);
  EXPECT(std::strcmp(cudaGetErrorString(cudaErrorInvalidValue), "invalid argument") == 0);
  EXPECT(std::strcmp(cudaGetErrorString(static_cast<cudaError_t>(12345)), "unrecognized error code") == 0);
  return 0;
}

static int Launches() {
  int* data = nullptr;
  EXPECT_OK(cudaMalloc(&data, 4096));
  FillIndex<<<4, 256>>>(data, 1024);
  Reverse<<<1, 256, 1024>>>(data);
  int out[256];
  EXPECT_OK(cudaMemcpy(out, data, sizeof(out), cudaMemcpyDeviceToHost));
  EXPECT(out[0] == 255 && out[255] == 0);

  FillIndex<<<1, 2048>>>(data, 1024);
  EXPECT(cudaPeekAtLastError() == cudaErrorInvalidValue);
  EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
  FillIndex<<<0, 32>>>(data, 1024);
  EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
  FillIndex<<<dim3(1, 70000), 32>>>(data, 1024);
  EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
  Reverse<<<1, 256, 100000>>>(data);
  EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
  EXPECT_OK(cudaFuncSetAttribute(Reverse, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000));
  Reverse<<<1, 256, 100000>>>(data);
  EXPECT_OK(cudaGetLastError());
  EXPECT_OK(cudaMemcpy(out, data, sizeof(out), cudaMemcpyDeviceToHost));
  EXPECT(out[0] == 0 && out[255] == 255);
  EXPECT(cudaFuncSetAttribute(Reverse, cudaFuncAttributeMaxDynamicSharedMemorySize, 300000) == cudaErrorInvalidValue);
  EXPECT(cudaGetLastError() == cudaErrorInvalidValue);

  int n = 1024;
  void* arguments[] = {&data, &n};
  EXPECT_OK(cudaLaunchKernel(reinterpret_cast<void*>(FillIndex), dim3(8), dim3(128), arguments, 0, nullptr));
  EXPECT_OK(cudaLaunchCooperativeKernel(reinterpret_cast<void*>(FillIndex), dim3(8), dim3(128), arguments, 0, nullptr));
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(4);
  config.blockDim = dim3(256);
  EXPECT_OK(cudaLaunchKernelEx(&config, FillIndex, data, n));
  EXPECT(cudaLaunchKernel(reinterpret_cast<void*>(Note), dim3(1), dim3(1), arguments, 0, nullptr) ==
         cudaErrorInvalidResourceHandle);
  EXPECT(cudaGetLastError() == cudaErrorInvalidResourceHandle);

  double* sum = nullptr;
  EXPECT_OK(cudaMalloc(&sum, sizeof(double)));
  Pair pair = {2, 0.5, {0, 0, 30}};
  Mixed<float><<<1, 1>>>(1, pair, 400.0f, 1000, sum);
  double got = 0;
  EXPECT_OK(cudaMemcpy(&got, sum, sizeof(got), cudaMemcpyDeviceToHost));
  EXPECT(got == 1433.5);
  Mixed<long long><<<1, 1>>>(1, pair, 4000000000LL, 1000, sum);
  EXPECT_OK(cudaMemcpy(&got, sum, sizeof(got), cudaMemcpyDeviceToHost));
  EXPECT(got == 4000001033.5);
  EXPECT_OK(cudaFree(sum));
  EXPECT_OK(cudaFree(data));
  return 0;
}

static int Occupancy() {
  cudaFuncAttributes attributes;
  EXPECT_OK(cudaFuncGetAttributes(&attributes, FillIndex));
  EXPECT(attributes.maxThreadsPerBlock == 1024 && attributes.ptxVersion == 90 && attributes.sharedSizeBytes == 0);
  EXPECT(attributes.numRegs > 0 && attributes.numRegs <= 32 && attributes.maxDynamicSharedSizeBytes == 49152);
  int blocks = 0;
  EXPECT_OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, FillIndex, 256, 0));
  EXPECT(blocks == 8);
  EXPECT_OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, FillIndex, 32, 0));
  EXPECT(blocks == 32);
  EXPECT_OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, FillIndex, 256, 49152 - 1024));
  EXPECT(blocks == 4);
  EXPECT(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, FillIndex, 0, 0) == cudaErrorInvalidValue);
  EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
  int grid = 0, block = 0;
  EXPECT_OK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, FillIndex, 0, 0));
  EXPECT(block == 1024 && grid == 264);
  return 0;
}

// Static storage is allowed: a pointer kept from one call to the next stays good.
static int Caching() {
  static int* kept = nullptr;
  if (kept == nullptr) EXPECT_OK(cudaMalloc(&kept, 4096));
  FillIndex<<<4, 256>>>(kept, 1024);
  EXPECT_OK(cudaDeviceSynchronize());
  return 0;
}

static int Reset() {
  const int nine = 9;
  EXPECT_OK(cudaMemcpyToSymbol(counter, &nine, sizeof(nine)));
  EXPECT_OK(cudaDeviceReset());
  int count = 0;
  EXPECT_OK(cudaMemcpyFromSymbol(&count, counter, sizeof(count)));
  EXPECT(count == 5);
  return 0;
}

static int Run(int group) {
  switch (group) {
    case 0:
      return Allocation();
    case 1:
      return Copies();
    case 2:
      return PitchedCopies();
    case 3:
      return Symbols();
    case 4:
      return StreamsAndEvents();
    case 5:
      return DeviceQueries();
    case 6:
      return Launches();
    case 7:
      return Occupancy();
    case 8:
      return Caching();
    case 9:
      return Reset();
  }
  return -1;
}

// Arguments: the group, then one int of host memory for the answer.
extern "C" void cudaperf_invoke(void** arguments) {
  **static_cast<int**>(arguments[1]) = Run(*static_cast<int*>(arguments[0]));
}

#ifdef STANDALONE
#include <cstdio>
int main() {
  int failures = 0;
  for (int group = 0; group < 10; ++group) {
    const int line = Run(group);
    std::printf("group %d: %s %d\n", group, line == 0 ? "ok" : "line", line);
    failures += line != 0;
  }
  return failures;
}
#endif
