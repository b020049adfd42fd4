#ifndef CUDAPERF_SANDBOX_GPU_RUNNER_GPU_CONTEXT_H_
#define CUDAPERF_SANDBOX_GPU_RUNNER_GPU_CONTEXT_H_

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cudaperf/worker/v1/gpu_runner.pb.h"
#include "sandbox/cuda/driver.h"

namespace cudaperf::sandbox {

// The primary context of the only visible device, current on the calling thread, and what a call needs around its
// launches. It is the context that the CUDA runtime of a launcher uses too. Not thread-safe.
class GpuContext {
 public:
  // Creates the context and launches an empty kernel, so that nothing of the driver starts late.
  static absl::StatusOr<std::unique_ptr<GpuContext>> Create();

  const Driver& driver() const { return *driver_; }
  CUcontext context() const { return context_; }
  CUdevice device() const { return device_; }

  // What a call that starts nothing of the candidate's costs: launches an empty kernel. For calibration.
  CUresult LaunchNothing() const;

  // Holds back everything queued on the default stream from now on, until Open. A hold that is not opened ends by
  // itself after some milliseconds.
  CUresult Hold();
  void Open();

 private:
  GpuContext() = default;

  std::unique_ptr<Driver> driver_;
  CUdevice device_ = 0;
  CUcontext context_ = nullptr;
  CUmodule module_ = nullptr;
  CUfunction nothing_ = nullptr;
  CUfunction hold_ = nullptr;
  // Pinned host memory that the holding kernel looks at.
  volatile int* gate_ = nullptr;
  CUdeviceptr gate_address_ = 0;
};

// The response that tells `result`, which `call` returned.
worker::v1::GpuCallResponse CallFailure(const Driver& driver, CUresult result, const std::string& call);

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_GPU_RUNNER_GPU_CONTEXT_H_
