#include "sandbox/runtime/emulated_runtime.h"

#include <fcntl.h>

#include <cstdlib>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "sandbox/worker/frame_channel.h"

namespace cudaperf::sandbox {
namespace {

thread_local cudaError_t last_error = cudaSuccess;

cudaError_t FaultError(reward::v1::FindingKind kind) {
  switch (kind) {
    case reward::v1::FINDING_KIND_MISALIGNED:
      return cudaErrorMisalignedAddress;
    case reward::v1::FINDING_KIND_DEVICE_TRAP:
    case reward::v1::FINDING_KIND_STACK_OVERFLOW:
      return cudaErrorLaunchFailure;
    case reward::v1::FINDING_KIND_BARRIER_DEADLOCK:
      return cudaErrorLaunchTimeout;
    default:
      return cudaErrorIllegalAddress;
  }
}

}  // namespace

EmulatedRuntime& EmulatedRuntime::Get() {
  // Never destroyed: the program's own destructors may still call the API.
  static EmulatedRuntime* const runtime = new EmulatedRuntime();
  return *runtime;
}

EmulatedRuntime::EmulatedRuntime() {
  const char* variable = std::getenv(kDeviceVariable);
  int fd = -1;
  if (variable == nullptr || !absl::SimpleAtoi(variable, &fd) || fcntl(fd, F_GETFD) < 0) return;
  device_.emplace(FrameChannel(UniqueFd(fd)));
}

cudaError_t EmulatedRuntime::Finish(cudaError_t error) {
  if (sticky() != cudaSuccess) error = sticky();
  if (error != cudaSuccess) last_error = error;
  return error;
}

cudaError_t EmulatedRuntime::PeekLastError() { return sticky() != cudaSuccess ? sticky() : last_error; }

cudaError_t EmulatedRuntime::TakeLastError() {
  const cudaError_t error = PeekLastError();
  last_error = cudaSuccess;
  return error;
}

cudaError_t EmulatedRuntime::Translate(const absl::Status& status) {
  if (status.ok()) return cudaSuccess;
  if (absl::IsUnimplemented(status)) return Unsupported(status.message());
  if (absl::IsNotFound(status)) return cudaErrorInvalidSymbol;
  sticky_ = cudaErrorDevicesUnavailable;
  return sticky();
}

cudaError_t EmulatedRuntime::Translate(const absl::StatusOr<worker::v1::DeviceError>& error) {
  return error.ok() ? Translate(*error) : Translate(error.status());
}

cudaError_t EmulatedRuntime::Translate(worker::v1::DeviceError error) {
  switch (error) {
    case worker::v1::DEVICE_ERROR_NONE:
      return cudaSuccess;
    case worker::v1::DEVICE_ERROR_OUT_OF_MEMORY:
      return cudaErrorMemoryAllocation;
    case worker::v1::DEVICE_ERROR_FAULT:
      sticky_ = cudaErrorIllegalAddress;
      return sticky();
    case worker::v1::DEVICE_ERROR_BUDGET:
      sticky_ = cudaErrorLaunchTimeout;
      return sticky();
    case worker::v1::DEVICE_ERROR_UNSUPPORTED:
      sticky_ = cudaErrorNotSupported;
      return sticky();
    default:
      return cudaErrorInvalidValue;
  }
}

cudaError_t EmulatedRuntime::TranslateLaunch(const absl::StatusOr<worker::v1::LaunchResponse>& response) {
  if (!response.ok()) return Translate(response.status());
  const cudaError_t error = Translate(response->error());
  if (response->error() == worker::v1::DEVICE_ERROR_FAULT) sticky_ = FaultError(response->fault_kind());
  return error;
}

cudaError_t EmulatedRuntime::Unsupported(absl::string_view what) {
  if (device_) {
    worker::v1::DeviceRequest request;
    request.mutable_report()->set_error(worker::v1::DEVICE_ERROR_UNSUPPORTED);
    request.mutable_report()->set_detail(std::string(what));
    (void)device_->Call(request);
  }
  sticky_ = cudaErrorNotSupported;
  return sticky();
}

cudaError_t EmulatedRuntime::Refuse(cudaError_t error, absl::string_view what) {
  if (device_) {
    worker::v1::DeviceRequest request;
    request.mutable_report()->set_error(worker::v1::DEVICE_ERROR_BAD_ARGUMENT);
    request.mutable_report()->set_detail(absl::StrCat(what, ": ", cudaGetErrorName(error)));
    (void)device_->Call(request);
  }
  return error;
}

}  // namespace cudaperf::sandbox
