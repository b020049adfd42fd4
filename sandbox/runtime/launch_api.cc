// Launches and what is known of kernels.
#include <cstdint>
#include <cstring>
#include <string>

#include "cuda_occupancy.h"
#include "sandbox/runtime/device_figures.h"
#include "sandbox/runtime/emulated_runtime.h"

namespace cudaperf::sandbox {
namespace {

// Whether an argument is, or starts with, a pointer to pinned host memory.
bool PointsToPinnedMemory(EmulatedRuntime& runtime, const std::string& argument) {
  uint64_t address = 0;
  if (argument.size() < sizeof(address)) return false;
  std::memcpy(&address, argument.data(), sizeof(address));
  return runtime.pinned_memory().Contains(address);
}

// What an SM gives a block without and with opting in.
constexpr int64_t kDefaultDynamicSharedBytes = 48 * 1024;

enum class Placement { kAnywhere, kCooperative };

cudaError_t LaunchKernel(const void* host, dim3 grid, dim3 block, void** arguments, size_t shared_bytes,
                         cudaStream_t stream, Placement placement) {
  return WithDevice([&](EmulatedRuntime& runtime, DeviceClient& device) {
    EmulatedRuntime::Session session = runtime.Open();
    ProgramRegistry::Function* function = session.registry().FindFunction(host);
    if (function == nullptr) return runtime.Refuse(cudaErrorInvalidResourceHandle, "launch of an unknown kernel");
    auto signature = session.registry().Signature(function, &device);
    if (!signature.ok()) return runtime.Translate(signature.status());
    if (*signature == nullptr) return runtime.Refuse(cudaErrorInvalidDeviceFunction, function->name);

    worker::v1::LaunchRequest request;
    request.set_module(function->binary->module);
    request.set_kernel(function->name);
    for (unsigned size : {grid.x, grid.y, grid.z}) request.add_grid(size);
    for (unsigned size : {block.x, block.y, block.z}) request.add_block(size);
    request.set_dynamic_shared_bytes(static_cast<int64_t>(shared_bytes));
    request.set_dynamic_shared_limit_bytes(
        function->dynamic_shared_limit_bytes >= 0 ? function->dynamic_shared_limit_bytes : kDefaultDynamicSharedBytes);
    request.set_cooperative(placement == Placement::kCooperative);
    request.set_stream(reinterpret_cast<int64_t>(stream));
    for (int i = 0; i < (*signature)->parameter_bytes_size(); ++i) {
      if (arguments == nullptr || arguments[i] == nullptr) return runtime.Refuse(cudaErrorInvalidValue, function->name);
      request.add_arguments(arguments[i], (*signature)->parameter_bytes(i));
      if (PointsToPinnedMemory(runtime, request.arguments(i))) {
        return runtime.Unsupported("cudaMallocHost|cudaHostAlloc|cudaHostRegister: pinned host memory used by a kernel");
      }
    }
    return runtime.TranslateLaunch(device.Launch(request));
  });
}

int RegisterCount(const ProgramRegistry::Function& function) {
  auto found = function.binary->register_counts.find(function.name);
  return found == function.binary->register_counts.end() ? 0 : found->second;
}

cudaError_t FunctionAttributes(EmulatedRuntime& runtime, DeviceClient& device, const void* host,
                               cudaFuncAttributes* attributes) {
  EmulatedRuntime::Session session = runtime.Open();
  ProgramRegistry::Function* function = session.registry().FindFunction(host);
  if (function == nullptr) return runtime.Refuse(cudaErrorInvalidDeviceFunction, "attributes of an unknown kernel");
  auto signature = session.registry().Signature(function, &device);
  if (!signature.ok()) return runtime.Translate(signature.status());
  if (*signature == nullptr) return runtime.Refuse(cudaErrorInvalidDeviceFunction, function->name);
  std::memset(attributes, 0, sizeof(*attributes));
  const int64_t static_shared = (*signature)->static_shared_bytes();
  attributes->sharedSizeBytes = static_shared;
  attributes->numRegs = RegisterCount(*function);
  attributes->maxThreadsPerBlock = MaxThreadsPerBlock(attributes->numRegs);
  attributes->ptxVersion = 90;
  attributes->binaryVersion = 90;
  attributes->maxDynamicSharedSizeBytes =
      static_cast<int>(function->dynamic_shared_limit_bytes >= 0 ? function->dynamic_shared_limit_bytes
                                                                 : kDefaultDynamicSharedBytes - static_shared);
  attributes->preferredShmemCarveout = -1;
  return cudaSuccess;
}

// The launch attributes that change what a kernel computes or may do. Null when all of them can be had.
const char* UnsupportedAttribute(const cudaLaunchConfig_t& config, Placement* placement) {
  for (unsigned i = 0; i < config.numAttrs; ++i) {
    const cudaLaunchAttribute& attribute = config.attrs[i];
    if (attribute.id == cudaLaunchAttributeCooperative && attribute.val.cooperative != 0) {
      *placement = Placement::kCooperative;
    } else if (attribute.id == cudaLaunchAttributeClusterDimension) {
      const auto& dimension = attribute.val.clusterDim;
      if (dimension.x * dimension.y * dimension.z > 1) return "cudaLaunchKernelExC: thread block clusters";
    }
  }
  return nullptr;
}

}  // namespace
}  // namespace cudaperf::sandbox

using cudaperf::sandbox::DeviceClient;
using cudaperf::sandbox::EmulatedRuntime;
using cudaperf::sandbox::FunctionAttributes;
using cudaperf::sandbox::LaunchKernel;
using cudaperf::sandbox::Placement;
using cudaperf::sandbox::WithDevice;
using cudaperf::sandbox::WithoutDevice;

extern "C" {

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments, size_t shared_bytes,
                               cudaStream_t stream) {
  return LaunchKernel(kernel, grid, block, arguments, shared_bytes, stream, Placement::kAnywhere);
}

cudaError_t cudaLaunchKernel(const void* host, dim3 grid, dim3 block, void** arguments, size_t shared_bytes,
                             cudaStream_t stream) {
  return LaunchKernel(host, grid, block, arguments, shared_bytes, stream, Placement::kAnywhere);
}

cudaError_t cudaLaunchCooperativeKernel(const void* host, dim3 grid, dim3 block, void** arguments, size_t shared_bytes,
                                        cudaStream_t stream) {
  return LaunchKernel(host, grid, block, arguments, shared_bytes, stream, Placement::kCooperative);
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* host, void** arguments) {
  if (config == nullptr) return WithoutDevice([] { return cudaErrorInvalidValue; });
  Placement placement = Placement::kAnywhere;
  if (const char* what = cudaperf::sandbox::UnsupportedAttribute(*config, &placement)) {
    return WithDevice([&](EmulatedRuntime& runtime, DeviceClient&) { return runtime.Unsupported(what); });
  }
  return LaunchKernel(host, config->gridDim, config->blockDim, arguments, config->dynamicSmemBytes, config->stream,
                      placement);
}

cudaError_t cudaLaunchHostFunc(cudaStream_t, cudaHostFn_t function, void* argument) {
  return WithDevice([&](EmulatedRuntime&, DeviceClient&) {
    if (function == nullptr) return cudaErrorInvalidValue;
    function(argument);
    return cudaSuccess;
  });
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* host) {
  return WithDevice([&](EmulatedRuntime& runtime, DeviceClient& device) {
    if (attributes == nullptr) return cudaErrorInvalidValue;
    return FunctionAttributes(runtime, device, host, attributes);
  });
}

cudaError_t cudaFuncSetAttribute(const void* host, cudaFuncAttribute attribute, int value) {
  return WithDevice([&](EmulatedRuntime& runtime, DeviceClient& device) {
    cudaFuncAttributes attributes;
    if (cudaError_t error = FunctionAttributes(runtime, device, host, &attributes); error != cudaSuccess) return error;
    if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize) return cudaSuccess;
    const int64_t most =
        static_cast<int64_t>(cudaperf::sandbox::kSharedBytesPerBlockOptIn - attributes.sharedSizeBytes);
    if (value < 0 || value > most) {
      return runtime.Refuse(cudaErrorInvalidValue, "cudaFuncSetAttribute(MaxDynamicSharedMemorySize)");
    }
    EmulatedRuntime::Session session = runtime.Open();
    session.registry().FindFunction(host)->dynamic_shared_limit_bytes = value;
    return cudaSuccess;
  });
}

cudaError_t cudaFuncSetCacheConfig(const void*, cudaFuncCache) {
  return WithoutDevice([] { return cudaSuccess; });
}

cudaError_t cudaFuncGetName(const char** name, const void* host) {
  return WithoutDevice([&] {
    EmulatedRuntime::Session session = EmulatedRuntime::Get().Open();
    const auto* function = session.registry().FindFunction(host);
    if (name == nullptr || function == nullptr) return cudaErrorInvalidValue;
    *name = function->name.c_str();
    return cudaSuccess;
  });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* block_count, const void* host, int block_size,
                                                                   size_t shared_bytes, unsigned) {
  return WithDevice([&](EmulatedRuntime& runtime, DeviceClient& device) {
    if (block_count == nullptr || block_size <= 0) return cudaErrorInvalidValue;
    cudaFuncAttributes attributes;
    if (cudaError_t error = FunctionAttributes(runtime, device, host, &attributes); error != cudaSuccess) return error;
    const cudaOccDeviceProp properties = cudaperf::sandbox::DeviceProperties(0);
    const cudaOccFuncAttributes function = attributes;
    const cudaOccDeviceState state;
    cudaOccResult result;
    if (cudaOccMaxActiveBlocksPerMultiprocessor(&result, &properties, &function, &state, block_size, shared_bytes) !=
        CUDA_OCC_SUCCESS) {
      return cudaErrorInvalidValue;
    }
    *block_count = result.activeBlocksPerMultiprocessor;
    return cudaSuccess;
  });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* block_count, const void* host, int block_size,
                                                          size_t shared_bytes) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(block_count, host, block_size, shared_bytes, 0);
}

}  // extern "C"
