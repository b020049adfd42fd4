#ifndef CUDAPERF_SANDBOX_JUDGE_DEVICE_POOL_H_
#define CUDAPERF_SANDBOX_JUDGE_DEVICE_POOL_H_

#include <memory>
#include <utility>

#include "absl/status/statusor.h"
#include "sandbox/judge/device_session.h"

namespace cudaperf::sandbox {

// Keeps one device process started and unused, so that an examination does not wait for a jail. A device serves one
// program and never comes back. Not thread-safe.
class DevicePool {
 public:
  explicit DevicePool(WorkerSettings settings) : settings_(std::move(settings)) {}

  const WorkerSettings& settings() const { return settings_; }

  // Starts the spare one if there is none.
  absl::Status Refill() {
    if (spare_ != nullptr && spare_->IsAlive()) return absl::OkStatus();
    absl::StatusOr<std::unique_ptr<DeviceSession>> device = DeviceSession::Start(settings_);
    if (device.ok()) spare_ = *std::move(device);
    return device.status();
  }

  absl::StatusOr<std::unique_ptr<DeviceSession>> Take() {
    if (absl::Status status = Refill(); !status.ok()) return status;
    return std::move(spare_);
  }

 private:
  const WorkerSettings settings_;
  std::unique_ptr<DeviceSession> spare_;
};

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_JUDGE_DEVICE_POOL_H_
