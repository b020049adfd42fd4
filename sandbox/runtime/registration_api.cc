// What nvcc's generated code calls when a shared object is loaded and unloaded, and around `<<<...>>>`.
#include <vector_types.h>

#include <vector>

#include "sandbox/runtime/emulated_runtime.h"

namespace cudaperf::sandbox {
namespace {

struct CallConfiguration {
  dim3 grid;
  dim3 block;
  size_t shared_bytes;
  cudaStream_t stream;
};

// Pushed by `<<<...>>>`, popped by the kernel's stub.
thread_local std::vector<CallConfiguration> configurations;

ProgramRegistry::Binary* BinaryOf(void** handle) { return reinterpret_cast<ProgramRegistry::Binary*>(handle); }

}  // namespace
}  // namespace cudaperf::sandbox

using cudaperf::sandbox::BinaryOf;
using cudaperf::sandbox::EmulatedRuntime;

extern "C" {

void** __cudaRegisterFatBinary(void* fatbin) {
  return reinterpret_cast<void**>(EmulatedRuntime::Get().Open().registry().AddBinary(fatbin));
}

void __cudaRegisterFatBinaryEnd(void**) {}

void __cudaUnregisterFatBinary(void** handle) {
  EmulatedRuntime::Get().Open().registry().RemoveBinary(BinaryOf(handle));
}

void __cudaRegisterFunction(void** handle, const char* host, char*, const char* name, int, uint3*, uint3*, dim3*, dim3*,
                            int*) {
  EmulatedRuntime::Get().Open().registry().AddFunction(BinaryOf(handle), host, name);
}

void __cudaRegisterVar(void** handle, char* host, char*, const char* name, int, size_t, int, int) {
  EmulatedRuntime::Get().Open().registry().AddVariable(BinaryOf(handle), host, name);
}

void __cudaRegisterManagedVar(void**, void**, char*, const char*, int, size_t, int, int) {
  EmulatedRuntime::Get().Unsupported("__cudaRegisterManagedVar: __managed__ variable");
}

void __cudaRegisterHostVar(void**, const char*, char*, size_t) {
  EmulatedRuntime::Get().Unsupported("__cudaRegisterHostVar");
}

void __cudaRegisterUnifiedTable(void**, void**) { EmulatedRuntime::Get().Unsupported("__cudaRegisterUnifiedTable"); }

char __cudaInitModule(void**) { return 0; }

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes, CUstream_st* stream) {
  cudaperf::sandbox::configurations.push_back({grid, block, shared_bytes, stream});
  return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared_bytes, void* stream) {
  auto& configurations = cudaperf::sandbox::configurations;
  if (configurations.empty()) return EmulatedRuntime::Get().Finish(cudaErrorMissingConfiguration);
  *grid = configurations.back().grid;
  *block = configurations.back().block;
  *shared_bytes = configurations.back().shared_bytes;
  *static_cast<cudaStream_t*>(stream) = configurations.back().stream;
  configurations.pop_back();
  return cudaSuccess;
}

cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* host) {
  *kernel = reinterpret_cast<cudaKernel_t>(EmulatedRuntime::Get().Open().registry().FindFunction(host));
  return *kernel == nullptr ? EmulatedRuntime::Get().Finish(cudaErrorInvalidDeviceFunction) : cudaSuccess;
}

cudaError_t cudaGetKernel(cudaKernel_t* kernel, const void* host) { return __cudaGetKernel(kernel, host); }

cudaError_t cudaGetFuncBySymbol(cudaFunction_t* function, const void* host) {
  return __cudaGetKernel(reinterpret_cast<cudaKernel_t*>(function), host);
}

}  // extern "C"
