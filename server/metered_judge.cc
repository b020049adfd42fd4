#include "server/metered_judge.h"

#include <utility>

#include "absl/time/clock.h"

namespace cudaperf::server {

MeteredJudge::MeteredJudge(std::unique_ptr<sandbox::Judge> judge, ServerMetrics* metrics)
    : judge_(std::move(judge)), metrics_(metrics) {}

absl::StatusOr<worker::v1::ExamineResponse> MeteredJudge::Examine(worker::v1::ExamineRequest request,
                                                                  const sandbox::CallScope& scope) {
  const absl::Time started_at = absl::Now();
  absl::StatusOr<worker::v1::ExamineResponse> response = judge_->Examine(std::move(request), scope);
  metrics_->CountWorkerCall("judge", absl::Now() - started_at);
  metrics_->CountAbandoned("judge", response.status());
  if (!response.ok()) return response;
  for (const reward::v1::CaseResult& result : response->cases()) {
    if (result.status() == reward::v1::CASE_STATUS_TIMED_OUT) metrics_->CountWorkerKilled("judge", "wall_time");
    if (result.status() == reward::v1::CASE_STATUS_CRASHED) metrics_->CountWorkerKilled("judge", "crash");
  }
  return response;
}

absl::StatusOr<worker::v1::AdmitResponse> MeteredJudge::Admit(worker::v1::AdmitRequest request,
                                                              const sandbox::CallScope& scope) {
  const absl::Time started_at = absl::Now();
  absl::StatusOr<worker::v1::AdmitResponse> response = judge_->Admit(std::move(request), scope);
  metrics_->CountWorkerCall("judge", absl::Now() - started_at);
  metrics_->CountAbandoned("judge", response.status());
  return response;
}

}  // namespace cudaperf::server
