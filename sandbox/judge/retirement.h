#ifndef CUDAPERF_SANDBOX_JUDGE_RETIREMENT_H_
#define CUDAPERF_SANDBOX_JUDGE_RETIREMENT_H_

#include <chrono>
#include <deque>
#include <future>
#include <memory>
#include <utility>

namespace cudaperf::sandbox {

// Ends workers behind the judge's back: a jail takes milliseconds to end, for which no request waits. Destroying this waits
// for all of them. Not thread-safe.
class Retirement {
 public:
  // Destroys it on another thread, and returns at once. May be null; must not refer to anything that dies before this.
  template <typename Worker>
  void Add(std::unique_ptr<Worker> worker) {
    while (!ending_.empty() && ending_.front().wait_for(std::chrono::seconds(0)) == std::future_status::ready) {
      ending_.pop_front();
    }
    if (worker == nullptr) return;
    ending_.push_back(std::async(std::launch::async, [ended = std::move(worker)]() mutable { ended = nullptr; }));
  }

  // Returns when all of them have ended.
  void AwaitAll() { ending_.clear(); }

 private:
  // Of std::async: destroying one waits for its work.
  std::deque<std::future<void>> ending_;
};

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_JUDGE_RETIREMENT_H_
