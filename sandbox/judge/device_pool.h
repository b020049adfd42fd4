#ifndef CUDAPERF_SANDBOX_JUDGE_DEVICE_POOL_H_
#define CUDAPERF_SANDBOX_JUDGE_DEVICE_POOL_H_

#include <deque>
#include <future>
#include <memory>
#include <utility>

#include "absl/status/statusor.h"
#include "sandbox/judge/device_session.h"

namespace cudaperf::sandbox {

// Keeps device processes started and unused, and starts them behind the judge's back: a jail takes some ten milliseconds,
// for which no request waits. A device serves one program and never comes back. Not thread-safe.
class DevicePool {
 public:
  explicit DevicePool(WorkerSettings settings) : settings_(std::move(settings)) {}

  const WorkerSettings& settings() const { return settings_; }

  // Begins to start what is missing, and returns at once. What goes wrong shows in Take.
  void Refill();

  // Waits until one is there.
  absl::Status AwaitOne();

  // Waits for the oldest spare one.
  absl::StatusOr<std::unique_ptr<DeviceSession>> Take();

 private:
  using Starting = std::future<absl::StatusOr<std::unique_ptr<DeviceSession>>>;

  const WorkerSettings settings_;
  // Oldest first. Of std::async: destroying one waits for its work.
  std::deque<Starting> spares_;
};

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_JUDGE_DEVICE_POOL_H_
