#include "sandbox/judge/interruption.h"

#include <poll.h>

#include <algorithm>
#include <cerrno>

#include "cudaperf/worker/v1/judge.pb.h"

namespace cudaperf::sandbox {
namespace {

// Whole milliseconds until `deadline` for poll, rounded up; -1 for ever.
int Milliseconds(absl::Time deadline) {
  if (deadline == absl::InfiniteFuture()) return -1;
  const absl::Duration left = std::clamp(deadline - absl::Now(), absl::ZeroDuration(), absl::Hours(24));
  return static_cast<int>(absl::ToInt64Milliseconds(absl::Ceil(left, absl::Milliseconds(1))));
}

}  // namespace

void Interruption::BeginRequest(int64_t id) {
  id_ = id;
  if (!absl::IsUnavailable(state_)) state_ = absl::OkStatus();
}

absl::Status Interruption::AwaitReadable(int fd, absl::Time deadline) {
  while (state_.ok()) {
    pollfd entries[2] = {{.fd = daemon_->fd(), .events = POLLIN, .revents = 0},
                         {.fd = fd, .events = POLLIN, .revents = 0}};
    const int ready = poll(entries, 2, Milliseconds(deadline));
    if (ready < 0 && errno != EINTR) return absl::ErrnoToStatus(errno, "poll");
    if (ready > 0 && entries[0].revents != 0) {
      state_ = Listen();
    } else if (ready > 0) {
      return absl::OkStatus();
    } else if (ready == 0 && absl::Now() >= deadline) {
      return absl::DeadlineExceededError("no answer in time");
    }
  }
  return state_;
}

absl::Status Interruption::Check() {
  if (!state_.ok()) return state_;
  pollfd entry{.fd = daemon_->fd(), .events = POLLIN, .revents = 0};
  if (poll(&entry, 1, 0) > 0) state_ = Listen();
  return state_;
}

absl::Status Interruption::Listen() {
  // The daemon is trusted to send whole frames at once.
  const auto request = daemon_->ReceiveMessage<worker::v1::JudgeRequest>();
  if (!request.ok()) return absl::UnavailableError("the daemon is gone");
  if (!request->has_cancel()) return absl::UnavailableError("the daemon sent a second request during the first");
  // One that crossed the answer to an earlier request is late.
  return request->cancel().id() == id_ ? absl::CancelledError("cancelled") : absl::OkStatus();
}

}  // namespace cudaperf::sandbox
