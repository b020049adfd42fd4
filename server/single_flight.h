#ifndef CUDAPERF_SERVER_SINGLE_FLIGHT_H_
#define CUDAPERF_SERVER_SINGLE_FLIGHT_H_

#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "sandbox/worker/call_scope.h"

namespace cudaperf::server {

// Computes a value once for everybody who asks for the same key at the same time: the first caller works, the others
// wait. Nothing is remembered afterwards. When the worker gives up because of its own deadline or cancellation, one of
// those who wait takes over; any other result, errors too, is shared. Thread-safe.
template <typename Value>
class SingleFlight {
 public:
  using Work = std::function<absl::StatusOr<Value>()>;

  // Returns when there is a result or the scope ends, whichever is first.
  absl::StatusOr<Value> Do(const std::string& key, const sandbox::CallScope& scope, const Work& work) {
    while (true) {
      std::unique_lock lock(mutex_);
      auto [entry, is_first] = flights_.try_emplace(key, nullptr);
      if (is_first) {
        entry->second = std::make_shared<Flight>();
        lock.unlock();
        return Lead(key, work);
      }
      std::shared_ptr<Flight> flight = entry->second;
      if (absl::Status status = Await(*flight, scope, lock); !status.ok()) return status;
      if (!IsCallersOwn(flight->result->status())) return *flight->result;
    }
  }

 private:
  struct Flight {
    std::optional<absl::StatusOr<Value>> result;
  };

  static bool IsCallersOwn(const absl::Status& status) {
    return absl::IsCancelled(status) || absl::IsDeadlineExceeded(status);
  }

  absl::StatusOr<Value> Lead(const std::string& key, const Work& work) {
    absl::StatusOr<Value> result = work();
    {
      std::lock_guard lock(mutex_);
      flights_[key]->result = result;
      flights_.erase(key);
    }
    landed_.notify_all();
    return result;
  }

  absl::Status Await(const Flight& flight, const sandbox::CallScope& scope, std::unique_lock<std::mutex>& lock) {
    const auto landed = [&] { return flight.result.has_value(); };
    if (scope.deadline == absl::InfiniteFuture()) {
      landed_.wait(lock, scope.stop, landed);
    } else {
      landed_.wait_until(lock, scope.stop, absl::ToChronoTime(scope.deadline), landed);
    }
    if (landed()) return absl::OkStatus();
    if (scope.stop.stop_requested()) return absl::CancelledError("the call was cancelled");
    return absl::DeadlineExceededError("the deadline passed");
  }

  std::mutex mutex_;
  std::condition_variable_any landed_;
  // Guarded by mutex_, as are the flights' results until they land.
  std::map<std::string, std::shared_ptr<Flight>> flights_;
};

}  // namespace cudaperf::server

#endif  // CUDAPERF_SERVER_SINGLE_FLIGHT_H_
