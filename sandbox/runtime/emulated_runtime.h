#ifndef CUDAPERF_SANDBOX_RUNTIME_EMULATED_RUNTIME_H_
#define CUDAPERF_SANDBOX_RUNTIME_EMULATED_RUNTIME_H_

#include <cuda_runtime_api.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "cudaperf/worker/v1/device.pb.h"
#include "sandbox/device/device_client.h"
#include "sandbox/runtime/pinned_memory.h"
#include "sandbox/runtime/program_registry.h"

namespace cudaperf::sandbox {

// The state behind the CUDA runtime API of one process: its device, what it registered, its errors. The API has one
// state per process, so this is one object, made when first used. It lives in a hostile process: it is correct for
// honest code, and nothing depends on it being so for other code. Thread-safe.
class EmulatedRuntime {
 public:
  // Environment variable that tells the number of the command channel's descriptor.
  static constexpr char kDeviceVariable[] = "CUDAPERF_DEVICE_FD";

  // Exclusive use of the registry and of what is loaded from it.
  class Session {
   public:
    ProgramRegistry& registry() { return runtime_->registry_; }

   private:
    friend class EmulatedRuntime;
    explicit Session(EmulatedRuntime* runtime) : runtime_(runtime), lock_(runtime->mutex_) {}
    EmulatedRuntime* runtime_;
    std::unique_lock<std::recursive_mutex> lock_;
  };

  static EmulatedRuntime& Get();

  Session Open() { return Session(this); }

  PinnedMemory& pinned_memory() { return pinned_memory_; }

  // Null when the process was given no device.
  DeviceClient* device() { return device_ ? &*device_ : nullptr; }

  // Files the result of an API call for cudaGetLastError and returns it; a sticky error takes its place.
  cudaError_t Finish(cudaError_t error);
  // The sticky error, or success.
  cudaError_t sticky() const { return sticky_.load(); }
  cudaError_t PeekLastError();
  cudaError_t TakeLastError();

  // What CUDA calls it. A status is our channel's end; UNIMPLEMENTED means not supported.
  cudaError_t Translate(const absl::Status& status);
  cudaError_t Translate(const absl::StatusOr<worker::v1::DeviceError>& error);
  cudaError_t Translate(worker::v1::DeviceError error);
  // As the hardware reports a launch: a fault shows at the next call.
  cudaError_t TranslateLaunch(const absl::StatusOr<worker::v1::LaunchResponse>& response);

  // Tells the device that the program called what is not emulated; sticky, since its answers mean nothing from then on.
  cudaError_t Unsupported(absl::string_view what);
  // Tells the device of a call that CUDA refuses, and returns the error.
  cudaError_t Refuse(cudaError_t error, absl::string_view what);

 private:
  EmulatedRuntime();

  std::recursive_mutex mutex_;
  ProgramRegistry registry_;
  PinnedMemory pinned_memory_;
  std::optional<DeviceClient> device_;
  std::atomic<cudaError_t> sticky_{cudaSuccess};
};

// Runs the body of an API function that needs the device: `body(runtime, device)` returns a cudaError_t.
template <typename Body>
cudaError_t WithDevice(Body body) {
  EmulatedRuntime& runtime = EmulatedRuntime::Get();
  if (runtime.device() == nullptr) return runtime.Finish(cudaErrorNoDevice);
  if (runtime.sticky() != cudaSuccess) return runtime.Finish(runtime.sticky());
  return runtime.Finish(body(runtime, *runtime.device()));
}

// The same for one that does not touch the device.
template <typename Body>
cudaError_t WithoutDevice(Body body) {
  return EmulatedRuntime::Get().Finish(body());
}

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_RUNTIME_EMULATED_RUNTIME_H_
