#ifndef CUDAPERF_SERVER_WORK_QUEUE_H_
#define CUDAPERF_SERVER_WORK_QUEUE_H_

#include <cstdint>
#include <functional>
#include <list>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"

namespace cudaperf::server {

// Runs jobs on a fixed number of slots, first come first served, with a bound on those that wait. gRPC's threads only
// hand work over here, so that health checks are answered while every slot is busy. Thread-safe.
class WorkQueue {
 public:
  struct Options {
    int slot_count = 1;
    int queue_limit = 256;
  };
  // Called once on a slot's thread with the time the job waited.
  using Job = std::function<void(absl::Duration waited)>;

  explicit WorkQueue(Options options);
  // Runs what is still queued, then joins.
  ~WorkQueue();

  // The job's ticket. RESOURCE_EXHAUSTED when the queue is full, UNAVAILABLE when it is closed.
  absl::StatusOr<int64_t> Submit(Job job);

  // True: the job was waiting and will never run.
  bool Withdraw(int64_t ticket);

  // Refuses jobs from now on.
  void Close();

  // True once nothing waits or runs; false at the deadline.
  bool AwaitIdle(absl::Time deadline);

  int queued_count() const;
  int in_flight_count() const;

  // When a refused caller may find room: from the mean duration of recent jobs. 100 ms .. 30 s.
  absl::Duration RetryDelay() const;

 private:
  struct Entry {
    int64_t ticket;
    absl::Time submitted_at;
    Job job;
  };

  void RunSlot();
  bool IsIdle() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) { return waiting_.empty() && in_flight_ == 0; }
  bool HasWork() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) { return !waiting_.empty() || stopping_; }

  const Options options_;
  mutable absl::Mutex mutex_;
  std::list<Entry> waiting_ ABSL_GUARDED_BY(mutex_);
  int64_t next_ticket_ ABSL_GUARDED_BY(mutex_) = 1;
  int in_flight_ ABSL_GUARDED_BY(mutex_) = 0;
  bool closed_ ABSL_GUARDED_BY(mutex_) = false;
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  absl::Duration mean_duration_ ABSL_GUARDED_BY(mutex_) = absl::Milliseconds(200);
  std::vector<std::thread> slots_;
};

}  // namespace cudaperf::server

#endif  // CUDAPERF_SERVER_WORK_QUEUE_H_
