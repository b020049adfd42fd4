#include "sandbox/judge/warm_tasks.h"

#include <poll.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace cudaperf::sandbox {
namespace {

// Drawings ahead for one task, with their buffers.
constexpr int64_t kReadyBytes = int64_t{64} << 20;

bool IsReadable(int fd) {
  pollfd entry{.fd = fd, .events = POLLIN, .revents = 0};
  return poll(&entry, 1, 0) > 0;
}

}  // namespace

WarmTask& WarmTasks::Find(const std::string& task_id, const reward::v1::CudaTask& task,
                          const std::string& shared_object, absl::Duration call_limit) {
  const auto known = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) {
    return entry.task->task_id() == task_id && entry.reference->shared_object() == shared_object;
  });
  if (known != entries_.end()) {
    entries_.splice(entries_.begin(), entries_, known);
  } else {
    if (entries_.size() >= kMostTasks) {
      retirement_->Add(std::move(entries_.back().task));
      entries_.pop_back();
    }
    auto reference = std::make_unique<JailedReference>(*settings_, shared_object, interruption_);
    JailedReference* borrowed = reference.get();
    entries_.push_front({std::make_unique<WarmTask>(task_id, task, std::move(reference)), borrowed});
  }
  entries_.front().reference->LimitCalls(call_limit);
  return *entries_.front().task;
}

void WarmTasks::WorkUntilReadable(int daemon_fd) {
  const StopCheck must_stop = [daemon_fd] { return IsReadable(daemon_fd); };
  while (!must_stop()) {
    if (!DrawAhead(must_stop)) Wait(daemon_fd);
  }
}

bool WarmTasks::DrawAhead(const StopCheck& must_stop) {
  for (Entry& entry : entries_) {
    if (entry.task->DrawAhead(kReadyBytes, must_stop)) return true;
  }
  return false;
}

void WarmTasks::Wait(int daemon_fd) const {
  std::vector<pollfd> waited = {{.fd = daemon_fd, .events = POLLIN, .revents = 0}};
  absl::Time deadline = absl::InfiniteFuture();
  for (const Entry& entry : entries_) {
    waited.push_back({.fd = entry.task->fd(), .events = POLLIN, .revents = 0});
    deadline = std::min(deadline, entry.task->deadline());
  }
  int milliseconds = -1;
  if (deadline != absl::InfiniteFuture()) {
    const absl::Duration left = std::clamp(deadline - absl::Now(), absl::ZeroDuration(), absl::Hours(1));
    milliseconds = static_cast<int>(absl::ToInt64Milliseconds(left)) + 1;
  }
  poll(waited.data(), waited.size(), milliseconds);
}

}  // namespace cudaperf::sandbox
