#ifndef CUDAPERF_TESTS_SERVER_GATE_H_
#define CUDAPERF_TESTS_SERVER_GATE_H_

#include <condition_variable>
#include <mutex>

#include "absl/status/status.h"
#include "sandbox/worker/call_scope.h"

namespace cudaperf::server {

// Holds callers until it is opened, or until their scope ends as a worker's call would. Thread-safe.
class Gate {
 public:
  absl::Status Pass(const sandbox::CallScope& scope = {}) {
    std::unique_lock lock(mutex_);
    ++arrived_;
    changed_.notify_all();
    const auto opened = [this] { return open_; };
    if (scope.deadline == absl::InfiniteFuture()) {
      changed_.wait(lock, scope.stop, opened);
    } else {
      changed_.wait_until(lock, scope.stop, absl::ToChronoTime(scope.deadline), opened);
    }
    if (open_) return absl::OkStatus();
    return scope.stop.stop_requested() ? absl::CancelledError("stopped") : absl::DeadlineExceededError("late");
  }

  void Open() {
    std::lock_guard lock(mutex_);
    open_ = true;
    changed_.notify_all();
  }

  // Returns once `count` callers have come.
  void AwaitArrivals(int count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return arrived_ >= count; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable_any changed_;
  bool open_ = false;
  int arrived_ = 0;
};

}  // namespace cudaperf::server

#endif  // CUDAPERF_TESTS_SERVER_GATE_H_
