// Allocation, and questions about memory.
#include <cstdlib>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "sandbox/runtime/emulated_runtime.h"

namespace cudaperf::sandbox {
namespace {

// What an H200's cudaMallocPitch rounds rows up to.
constexpr size_t kPitchBytes = 512;
constexpr size_t kPageBytes = 4096;

cudaError_t Allocate(EmulatedRuntime& runtime, DeviceClient& device, void** address, size_t size_bytes) {
  if (address == nullptr) return runtime.Refuse(cudaErrorInvalidValue, "allocation into a null pointer");
  *address = nullptr;
  if (size_bytes == 0) return cudaSuccess;
  if (size_bytes > static_cast<size_t>(INT64_MAX)) return runtime.Refuse(cudaErrorMemoryAllocation, "allocation");
  auto allocated = device.Allocate(static_cast<int64_t>(size_bytes));
  if (!allocated.ok()) return runtime.Translate(allocated.status());
  *address = reinterpret_cast<void*>(allocated->address());
  return runtime.Translate(allocated->error());
}

cudaError_t Free(EmulatedRuntime& runtime, DeviceClient& device, void* address) {
  if (address == nullptr) return cudaSuccess;
  return runtime.Translate(device.Free(reinterpret_cast<uint64_t>(address)));
}

cudaError_t AllocateHost(void** address, size_t size_bytes) {
  if (address == nullptr) return cudaErrorInvalidValue;
  *address = nullptr;
  if (size_bytes == 0) return cudaSuccess;
  if (posix_memalign(address, kPageBytes, size_bytes) != 0) return cudaErrorMemoryAllocation;
  EmulatedRuntime::Get().pinned_memory().Add(*address, size_bytes);
  return cudaSuccess;
}

cudaError_t NotEmulated(const char* name) {
  return WithDevice([&](EmulatedRuntime& runtime, DeviceClient&) { return runtime.Unsupported(name); });
}

}  // namespace
}  // namespace cudaperf::sandbox

using cudaperf::sandbox::DeviceClient;
using cudaperf::sandbox::EmulatedRuntime;
using cudaperf::sandbox::NotEmulated;
using cudaperf::sandbox::WithDevice;
using cudaperf::sandbox::WithoutDevice;

extern "C" {

cudaError_t cudaMalloc(void** address, size_t size_bytes) {
  return WithDevice([&](EmulatedRuntime& runtime, DeviceClient& device) {
    return cudaperf::sandbox::Allocate(runtime, device, address, size_bytes);
  });
}

cudaError_t cudaMallocAsync(void** address, size_t size_bytes, cudaStream_t) { return cudaMalloc(address, size_bytes); }

cudaError_t cudaFree(void* address) {
  return WithDevice([&](EmulatedRuntime& runtime, DeviceClient& device) {
    return cudaperf::sandbox::Free(runtime, device, address);
  });
}

cudaError_t cudaFreeAsync(void* address, cudaStream_t) { return cudaFree(address); }

cudaError_t cudaMallocPitch(void** address, size_t* pitch, size_t width, size_t height) {
  return WithDevice([&](EmulatedRuntime& runtime, DeviceClient& device) {
    size_t size_bytes = 0;
    if (pitch == nullptr || width > SIZE_MAX - cudaperf::sandbox::kPitchBytes) return cudaErrorInvalidValue;
    *pitch =
        (width + cudaperf::sandbox::kPitchBytes - 1) / cudaperf::sandbox::kPitchBytes * cudaperf::sandbox::kPitchBytes;
    if (__builtin_mul_overflow(*pitch, height, &size_bytes)) return cudaErrorMemoryAllocation;
    return cudaperf::sandbox::Allocate(runtime, device, address, size_bytes);
  });
}

cudaError_t cudaMalloc3D(cudaPitchedPtr* pointer, cudaExtent extent) {
  if (pointer == nullptr) return WithoutDevice([] { return cudaErrorInvalidValue; });
  size_t rows = 0;
  if (__builtin_mul_overflow(extent.height, extent.depth, &rows)) {
    return WithoutDevice([] { return cudaErrorMemoryAllocation; });
  }
  pointer->xsize = extent.width;
  pointer->ysize = extent.height;
  return cudaMallocPitch(&pointer->ptr, &pointer->pitch, extent.width, rows);
}

cudaError_t cudaMallocHost(void** address, size_t size_bytes) {
  return WithoutDevice([&] { return cudaperf::sandbox::AllocateHost(address, size_bytes); });
}

cudaError_t cudaHostAlloc(void** address, size_t size_bytes, unsigned) { return cudaMallocHost(address, size_bytes); }

cudaError_t cudaFreeHost(void* address) {
  return WithoutDevice([&] {
    if (address == nullptr) return cudaSuccess;
    if (!EmulatedRuntime::Get().pinned_memory().Remove(address)) return cudaErrorInvalidValue;
    std::free(address);
    return cudaSuccess;
  });
}

cudaError_t cudaHostRegister(void* address, size_t size_bytes, unsigned) {
  return WithoutDevice([&] {
    if (address == nullptr || size_bytes == 0) return cudaErrorInvalidValue;
    EmulatedRuntime::Get().pinned_memory().Add(address, size_bytes);
    return cudaSuccess;
  });
}

cudaError_t cudaHostUnregister(void* address) {
  return WithoutDevice([&] {
    if (address == nullptr) return cudaErrorInvalidValue;
    return EmulatedRuntime::Get().pinned_memory().Remove(address) ? cudaSuccess : cudaErrorHostMemoryNotRegistered;
  });
}

cudaError_t cudaHostGetDevicePointer(void**, void*, unsigned) { return NotEmulated("cudaHostGetDevicePointer"); }

cudaError_t cudaMallocManaged(void**, size_t, unsigned) { return NotEmulated("cudaMallocManaged"); }

cudaError_t cudaMemGetInfo(size_t* free_bytes, size_t* total_bytes) {
  return WithDevice([&](EmulatedRuntime& runtime, DeviceClient& device) {
    if (free_bytes == nullptr || total_bytes == nullptr) return cudaErrorInvalidValue;
    cudaperf::worker::v1::DeviceRequest request;
    request.mutable_memory_info();
    auto response = device.Call(request);
    if (!response.ok()) return runtime.Translate(response.status());
    *free_bytes = response->memory_info().free_bytes();
    *total_bytes = response->memory_info().total_bytes();
    return cudaSuccess;
  });
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* address) {
  return WithDevice([&](EmulatedRuntime& runtime, DeviceClient& device) {
    if (attributes == nullptr) return cudaErrorInvalidValue;
    cudaperf::worker::v1::DeviceRequest request;
    request.mutable_find_address()->set_address(reinterpret_cast<uint64_t>(address));
    auto response = device.Call(request);
    if (!response.ok()) return runtime.Translate(response.status());
    std::memset(attributes, 0, sizeof(*attributes));
    if (response->find_address().error() == cudaperf::worker::v1::DEVICE_ERROR_NONE) {
      attributes->type = cudaMemoryTypeDevice;
      attributes->devicePointer = const_cast<void*>(address);
    } else if (runtime.pinned_memory().Contains(reinterpret_cast<uint64_t>(address))) {
      attributes->type = cudaMemoryTypeHost;
      attributes->devicePointer = const_cast<void*>(address);
      attributes->hostPointer = const_cast<void*>(address);
    } else {
      attributes->type = cudaMemoryTypeUnregistered;
      attributes->device = -2;
      attributes->hostPointer = const_cast<void*>(address);
    }
    return cudaSuccess;
  });
}

}  // extern "C"
