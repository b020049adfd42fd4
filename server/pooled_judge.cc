#include "server/pooled_judge.h"

#include <utility>

#include "absl/status/status.h"

namespace cudaperf::server {

PooledJudge::PooledJudge(std::vector<std::unique_ptr<sandbox::Judge>> judges) : judges_(std::move(judges)) {
  for (const auto& judge : judges_) idle_.push_back(judge.get());
}

absl::StatusOr<worker::v1::ExamineResponse> PooledJudge::Examine(worker::v1::ExamineRequest request,
                                                                 const sandbox::CallScope& scope) {
  absl::StatusOr<Loan> judge = Borrow(scope);
  if (!judge.ok()) return judge.status();
  return (*judge)->Examine(std::move(request), scope);
}

absl::StatusOr<worker::v1::AdmitResponse> PooledJudge::Admit(worker::v1::AdmitRequest request,
                                                             const sandbox::CallScope& scope) {
  absl::StatusOr<Loan> judge = Borrow(scope);
  if (!judge.ok()) return judge.status();
  return (*judge)->Admit(std::move(request), scope);
}

absl::StatusOr<PooledJudge::Loan> PooledJudge::Borrow(const sandbox::CallScope& scope) {
  std::unique_lock lock(mutex_);
  const auto available = [this] { return !idle_.empty(); };
  if (scope.deadline == absl::InfiniteFuture()) {
    returned_.wait(lock, scope.stop, available);
  } else {
    returned_.wait_until(lock, scope.stop, absl::ToChronoTime(scope.deadline), available);
  }
  if (scope.stop.stop_requested()) return absl::CancelledError("the call was cancelled");
  if (!available()) return absl::DeadlineExceededError("the deadline passed while every judge was busy");
  // The one returned last: its caches are the warmest.
  sandbox::Judge* judge = idle_.back();
  idle_.pop_back();
  return Loan(judge, [this](sandbox::Judge* returned) { Return(returned); });
}

void PooledJudge::Return(sandbox::Judge* judge) {
  {
    std::lock_guard lock(mutex_);
    idle_.push_back(judge);
  }
  returned_.notify_one();
}

}  // namespace cudaperf::server
