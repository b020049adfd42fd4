#include "server/work_queue.h"

#include <algorithm>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"

namespace cudaperf::server {

WorkQueue::WorkQueue(Options options) : options_(options) {
  slots_.reserve(options_.slot_count);
  for (int i = 0; i < options_.slot_count; ++i) slots_.emplace_back([this] { RunSlot(); });
}

WorkQueue::~WorkQueue() {
  {
    absl::MutexLock lock(&mutex_);
    closed_ = true;
    stopping_ = true;
  }
  for (std::thread& slot : slots_) slot.join();
}

absl::StatusOr<int64_t> WorkQueue::Submit(Job job) {
  absl::MutexLock lock(&mutex_);
  if (closed_) return absl::UnavailableError("this daemon is draining: send the request to another one");
  const int waiting = static_cast<int>(waiting_.size());
  const int free_slots = options_.slot_count - in_flight_;
  if (waiting >= free_slots + options_.queue_limit) {
    return absl::ResourceExhaustedError(
        absl::StrCat("the queue is full (", waiting, " waiting, ", in_flight_, " in flight): retry later"));
  }
  const int64_t ticket = next_ticket_++;
  waiting_.push_back({ticket, absl::Now(), std::move(job)});
  return ticket;
}

bool WorkQueue::Withdraw(int64_t ticket) {
  Job dropped;  // destroyed after the lock is gone
  absl::MutexLock lock(&mutex_);
  const auto entry = std::find_if(waiting_.begin(), waiting_.end(), [&](const Entry& e) { return e.ticket == ticket; });
  if (entry == waiting_.end()) return false;
  dropped = std::move(entry->job);
  waiting_.erase(entry);
  return true;
}

void WorkQueue::Close() {
  absl::MutexLock lock(&mutex_);
  closed_ = true;
}

bool WorkQueue::AwaitIdle(absl::Time deadline) {
  absl::MutexLock lock(&mutex_);
  return mutex_.AwaitWithDeadline(absl::Condition(this, &WorkQueue::IsIdle), deadline);
}

int WorkQueue::queued_count() const {
  absl::MutexLock lock(&mutex_);
  return static_cast<int>(waiting_.size());
}

int WorkQueue::in_flight_count() const {
  absl::MutexLock lock(&mutex_);
  return in_flight_;
}

absl::Duration WorkQueue::RetryDelay() const {
  absl::MutexLock lock(&mutex_);
  const double rounds = static_cast<double>(waiting_.size() + 1) / options_.slot_count;
  return std::clamp(mean_duration_ * std::min(rounds, 1000.0), absl::Milliseconds(100), absl::Seconds(30));
}

void WorkQueue::RunSlot() {
  while (true) {
    Entry entry;
    {
      absl::MutexLock lock(&mutex_);
      mutex_.Await(absl::Condition(this, &WorkQueue::HasWork));
      if (waiting_.empty()) return;
      entry = std::move(waiting_.front());
      waiting_.pop_front();
      ++in_flight_;
    }
    const absl::Time started_at = absl::Now();
    entry.job(started_at - entry.submitted_at);
    entry.job = nullptr;
    absl::MutexLock lock(&mutex_);
    --in_flight_;
    mean_duration_ = 0.8 * mean_duration_ + 0.2 * (absl::Now() - started_at);
  }
}

}  // namespace cudaperf::server
