#include "sandbox/judge/device_pool.h"

namespace cudaperf::sandbox {
namespace {

// An evaluation examines twice, one request close behind the other.
constexpr size_t kSpareCount = 2;

}  // namespace

void DevicePool::Refill() {
  while (spares_.size() < kSpareCount) {
    spares_.push_back(std::async(std::launch::async, [this] { return DeviceSession::Start(settings_); }));
  }
}

absl::Status DevicePool::AwaitOne() {
  absl::StatusOr<std::unique_ptr<DeviceSession>> device = Take();
  if (!device.ok()) return device.status();
  std::promise<absl::StatusOr<std::unique_ptr<DeviceSession>>> started;
  started.set_value(std::move(device));
  spares_.push_front(started.get_future());
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<DeviceSession>> DevicePool::Take() {
  Refill();
  while (!spares_.empty()) {
    absl::StatusOr<std::unique_ptr<DeviceSession>> device = spares_.front().get();
    spares_.pop_front();
    if (!device.ok() || (*device)->IsAlive()) return device;
  }
  // All of them died while they waited: something outside killed them.
  return DeviceSession::Start(settings_);
}

}  // namespace cudaperf::sandbox
