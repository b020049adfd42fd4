#ifndef CUDAPERF_SANDBOX_MEASURE_GPU_DEVICE_H_
#define CUDAPERF_SANDBOX_MEASURE_GPU_DEVICE_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "cudaperf/worker/v1/judge.pb.h"
#include "sandbox/cuda/driver.h"
#include "sandbox/cuda/nvml.h"
#include "sandbox/worker/unique_fd.h"

namespace cudaperf::sandbox {

// The judge's own context on the one GPU that it is in charge of, its lock on that GPU, and its kernels. No candidate's
// code ever runs in this context. Not thread-safe.
class GpuDevice {
 public:
  // `selection`: `auto` (the first), `cuda:N`, `GPU-uuid` or `MIG-uuid`. NOT_FOUND when there is no such GPU,
  // FAILED_PRECONDITION when another daemon holds it or it is too old.
  static absl::StatusOr<std::unique_ptr<GpuDevice>> Open(const std::string& selection);
  ~GpuDevice();

  const Driver& driver() const { return *driver_; }
  CUdevice device() const { return device_; }
  // Who it is: name, UUID, driver, compute capability.
  const worker::v1::GpuIdentity& identity() const { return identity_; }
  // For a process that may use this GPU and no other: nodes below /dev, the value of CUDA_VISIBLE_DEVICES, and the
  // folder that holds the driver's libraries.
  const std::vector<std::string>& device_paths() const { return device_paths_; }
  const std::string& visible_devices() const { return identity_.uuid(); }
  const std::string& driver_folder() const { return driver_folder_; }
  // Shared allocations are multiples of this.
  int64_t granularity() const { return granularity_; }
  int64_t l2_bytes() const { return l2_bytes_; }

  // Launches a kernel of judge_kernels.cu over `element_count` elements. `arguments` as for cuLaunchKernel.
  absl::Status Launch(const std::string& kernel, int64_t element_count, void** arguments);
  // Waits for everything launched.
  absl::Status Synchronize();
  // A zeroed word of device memory for a kernel's total, and its value once the device is idle.
  absl::StatusOr<CUdeviceptr> ZeroedTotal();
  absl::StatusOr<uint64_t> ReadTotal();

  // Keeps the multiprocessors' clocks up: busy for `duration`. Asynchronous.
  absl::Status KeepBusy(absl::Duration duration);
  // Returns when the device has run an empty kernel of ours: not before whatever else runs on it is done or gives way.
  absl::Status Probe();
  // Evicts what the L2 cache holds, and forgets what was to persist in it. Asynchronous.
  absl::Status FlushL2();
  absl::StatusOr<int64_t> FreeBytes() const;
  // What may disturb a measurement right now, one sentence each: lowered clocks, processes that are not ours. Empty
  // where NVML does not tell.
  std::vector<std::string> Disturbances() const;
  // Does a computation whose answer is known. UNAVAILABLE when the device does not do it right, or not within `limit`.
  absl::Status Canary(absl::Duration limit);

 private:
  GpuDevice() = default;

  absl::Status Select(const std::string& selection);
  absl::Status Lock();
  absl::Status Start();

  std::unique_ptr<Driver> driver_;
  // Null where NVML cannot be had.
  std::unique_ptr<Nvml> nvml_;
  CUdevice device_ = 0;
  CUcontext context_ = nullptr;
  CUmodule module_ = nullptr;
  std::map<std::string, CUfunction> functions_;
  worker::v1::GpuIdentity identity_;
  std::vector<std::string> device_paths_;
  std::string driver_folder_;
  UniqueFd lock_;
  int64_t granularity_ = 0;
  int64_t l2_bytes_ = 0;
  CUdeviceptr flush_ = 0;
  CUdeviceptr total_ = 0;
  int flush_count_ = 0;
};

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_MEASURE_GPU_DEVICE_H_
