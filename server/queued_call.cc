#include "server/queued_call.h"

#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "server/rpc_status.h"

namespace cudaperf::server {

QueuedCall::QueuedCall(WorkQueue* queue, grpc::CallbackServerContext* context, std::stop_token stop_all,
                       Observer observer)
    : queue_(queue),
      context_(context),
      observer_(std::move(observer)),
      stop_all_(std::move(stop_all)),
      on_stop_all_(stop_all_, [this] { stop_.request_stop(); }) {}

void QueuedCall::FinishNow(const absl::Status& status) { FinishWith(status); }

void QueuedCall::Enqueue(Work work) {
  absl::StatusOr<int64_t> ticket;
  {
    absl::MutexLock lock(&mutex_);
    ticket = queue_->Submit([this, work = std::move(work)](absl::Duration waited) { Run(work, waited); });
    if (ticket.ok()) ticket_ = *ticket;
  }
  if (!ticket.ok()) FinishWith(ticket.status());
}

void QueuedCall::OnCancel() {
  stop_.request_stop();
  int64_t ticket;
  {
    absl::MutexLock lock(&mutex_);
    ticket = ticket_;
  }
  if (ticket != 0 && queue_->Withdraw(ticket)) FinishWith(absl::CancelledError("cancelled while queued"));
}

void QueuedCall::Run(const Work& work, absl::Duration waited) {
  sandbox::CallScope scope;
  scope.stop = stop_.get_token();
  scope.deadline = Deadline();
  if (scope.stop.stop_requested()) return FinishWith(absl::CancelledError("cancelled while queued"));
  if (absl::Now() >= scope.deadline) return FinishWith(absl::DeadlineExceededError("the deadline passed while queued"));
  FinishWith(work(scope, waited));
}

absl::Time QueuedCall::Deadline() const {
  const auto deadline = context_->deadline();
  const bool is_endless = deadline == std::chrono::system_clock::time_point::max();
  return is_endless ? absl::InfiniteFuture() : absl::FromChrono(deadline);
}

// A call can be stopped by its deadline, by its caller or by the end of draining; the status says which.
absl::Status QueuedCall::Explain(const absl::Status& status) const {
  if (!absl::IsCancelled(status)) return status;
  if (absl::Now() >= Deadline()) return absl::DeadlineExceededError("the deadline passed");
  if (!context_->IsCancelled() && stop_all_.stop_requested()) {
    return absl::UnavailableError("this daemon stopped before the work was done: send the request to another one");
  }
  return status;
}

void QueuedCall::FinishWith(const absl::Status& raw_status) {
  const absl::Status status = Explain(raw_status);
  observer_(status);
  if (!absl::IsResourceExhausted(status)) return Finish(ToRpcStatus(status));
  const absl::Duration delay = queue_->RetryDelay();
  context_->AddTrailingMetadata("grpc-retry-pushback-ms", absl::StrCat(absl::ToInt64Milliseconds(delay)));
  Finish(QueueFullStatus(status, delay));
}

}  // namespace cudaperf::server
