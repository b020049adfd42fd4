// The device, its figures and its state.
#include <cstring>

#include "sandbox/runtime/device_figures.h"
#include "sandbox/runtime/emulated_runtime.h"

namespace cudaperf::sandbox {
namespace {

constexpr int kVersion = 13000;
// The H200's range.
constexpr int kLeastPriority = 0;
constexpr int kGreatestPriority = -5;

cudaError_t CheckDevice(int device) { return device == 0 ? cudaSuccess : cudaErrorInvalidDevice; }

// An H200's limits before anybody changes them.
cudaError_t DefaultLimit(cudaLimit limit, size_t* value) {
  switch (limit) {
    case cudaLimitStackSize:
      *value = 1024;
      return cudaSuccess;
    case cudaLimitPrintfFifoSize:
      *value = 8650752;
      return cudaSuccess;
    case cudaLimitMallocHeapSize:
      *value = 8388608;
      return cudaSuccess;
    case cudaLimitDevRuntimePendingLaunchCount:
      *value = 2048;
      return cudaSuccess;
    case cudaLimitMaxL2FetchGranularity:
      *value = 64;
      return cudaSuccess;
    default:
      return cudaErrorUnsupportedLimit;
  }
}

}  // namespace
}  // namespace cudaperf::sandbox

using cudaperf::sandbox::CheckDevice;
using cudaperf::sandbox::DeviceClient;
using cudaperf::sandbox::EmulatedRuntime;
using cudaperf::sandbox::WithDevice;
using cudaperf::sandbox::WithoutDevice;

extern "C" {

cudaError_t cudaGetDeviceCount(int* count) {
  return WithDevice([&](EmulatedRuntime&, DeviceClient&) {
    if (count == nullptr) return cudaErrorInvalidValue;
    *count = 1;
    return cudaSuccess;
  });
}

cudaError_t cudaGetDevice(int* device) {
  return WithDevice([&](EmulatedRuntime&, DeviceClient&) {
    if (device == nullptr) return cudaErrorInvalidValue;
    *device = 0;
    return cudaSuccess;
  });
}

cudaError_t cudaSetDevice(int device) {
  return WithDevice([&](EmulatedRuntime&, DeviceClient&) { return CheckDevice(device); });
}

cudaError_t cudaInitDevice(int device, unsigned, unsigned) { return cudaSetDevice(device); }

cudaError_t cudaSetDeviceFlags(unsigned) {
  return WithoutDevice([] { return cudaSuccess; });
}

cudaError_t cudaGetDeviceFlags(unsigned* flags) {
  return WithoutDevice([&] {
    if (flags == nullptr) return cudaErrorInvalidValue;
    *flags = 0;
    return cudaSuccess;
  });
}

cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp*) { return cudaGetDevice(device); }

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  return WithDevice([&](EmulatedRuntime& runtime, DeviceClient& client) {
    if (properties == nullptr) return cudaErrorInvalidValue;
    if (CheckDevice(device) != cudaSuccess) return CheckDevice(device);
    cudaperf::worker::v1::DeviceRequest request;
    request.mutable_memory_info();
    auto response = client.Call(request);
    if (!response.ok()) return runtime.Translate(response.status());
    *properties = cudaperf::sandbox::DeviceProperties(response->memory_info().total_bytes());
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  return WithDevice([&](EmulatedRuntime&, DeviceClient&) {
    if (CheckDevice(device) != cudaSuccess) return CheckDevice(device);
    const auto figure = cudaperf::sandbox::DeviceAttribute(attribute);
    if (value == nullptr || !figure) return cudaErrorInvalidValue;
    *value = *figure;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceSynchronize() {
  return WithDevice([](EmulatedRuntime&, DeviceClient&) { return cudaSuccess; });
}

cudaError_t cudaDeviceReset() {
  return WithDevice([](EmulatedRuntime& runtime, DeviceClient& device) {
    EmulatedRuntime::Session session = runtime.Open();
    cudaperf::worker::v1::DeviceRequest request;
    request.mutable_reset();
    session.registry().ForgetLoaded();
    return runtime.Translate(device.Call(request).status());
  });
}

cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit) {
  return WithDevice([&](EmulatedRuntime&, DeviceClient&) {
    return value == nullptr ? cudaErrorInvalidValue : cudaperf::sandbox::DefaultLimit(limit, value);
  });
}

// The emulated device has no such bound to move.
cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t) {
  return WithDevice([&](EmulatedRuntime&, DeviceClient&) {
    size_t value;
    return cudaperf::sandbox::DefaultLimit(limit, &value);
  });
}

cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) {
  return WithDevice([](EmulatedRuntime&, DeviceClient&) { return cudaSuccess; });
}

cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
  return WithDevice([&](EmulatedRuntime&, DeviceClient&) {
    if (config == nullptr) return cudaErrorInvalidValue;
    *config = cudaFuncCachePreferNone;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  return WithDevice([&](EmulatedRuntime&, DeviceClient&) {
    if (least != nullptr) *least = cudaperf::sandbox::kLeastPriority;
    if (greatest != nullptr) *greatest = cudaperf::sandbox::kGreatestPriority;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int) {
  return WithDevice([&](EmulatedRuntime&, DeviceClient&) {
    if (can == nullptr) return cudaErrorInvalidValue;
    *can = 0;
    return CheckDevice(device);
  });
}

cudaError_t cudaCtxResetPersistingL2Cache() {
  return WithDevice([](EmulatedRuntime&, DeviceClient&) { return cudaSuccess; });
}

cudaError_t cudaDriverGetVersion(int* version) {
  return WithoutDevice([&] {
    if (version == nullptr) return cudaErrorInvalidValue;
    *version = cudaperf::sandbox::kVersion;
    return cudaSuccess;
  });
}

cudaError_t cudaRuntimeGetVersion(int* version) { return cudaDriverGetVersion(version); }

cudaError_t cudaProfilerStart() {
  return WithoutDevice([] { return cudaSuccess; });
}

cudaError_t cudaProfilerStop() {
  return WithoutDevice([] { return cudaSuccess; });
}

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode*) {
  return WithoutDevice([] { return cudaSuccess; });
}

}  // extern "C"
