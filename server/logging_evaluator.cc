#include "server/logging_evaluator.h"

#include <utility>

#include "absl/time/clock.h"

namespace cudaperf::server {

LoggingEvaluator::LoggingEvaluator(std::unique_ptr<Evaluator> evaluator, EventLog* log)
    : evaluator_(std::move(evaluator)), log_(log) {}

absl::StatusOr<reward::v1::Evaluation> LoggingEvaluator::Evaluate(const EvaluationRequest& request,
                                                                  const sandbox::CallScope& scope) {
  const absl::Time started_at = absl::Now();
  log_->Debug("evaluation_started", {{"evaluation_id", request.evaluation_id},
                                     {"task", request.task->task.name()},
                                     {"task_id", request.task->task_id},
                                     {"candidate", request.candidate_digest}});
  absl::StatusOr<reward::v1::Evaluation> evaluation = evaluator_->Evaluate(request, scope);
  const double seconds = absl::ToDoubleSeconds(absl::Now() - started_at);
  if (!evaluation.ok()) {
    log_->Warning("evaluation_failed", {{"evaluation_id", request.evaluation_id},
                                        {"task", request.task->task.name()},
                                        {"code", absl::StatusCodeToString(evaluation.status().code())},
                                        {"message", evaluation.status().message()},
                                        {"seconds", seconds}});
    return evaluation;
  }
  log_->Info("evaluated", {{"evaluation_id", request.evaluation_id},
                           {"task", request.task->task.name()},
                           {"candidate", request.candidate_digest},
                           {"outcome", reward::v1::Outcome_Name(evaluation->outcome())},
                           {"reward", evaluation->reward().value()},
                           {"cache_hit", evaluation->provenance().cache_hit() ? "true" : "false"},
                           {"queue_seconds", absl::ToDoubleSeconds(request.queue_duration)},
                           {"seconds", seconds}});
  return evaluation;
}

std::optional<reward::v1::Evaluation> LoggingEvaluator::Recall(const EvaluationRequest& request) {
  std::optional<reward::v1::Evaluation> evaluation = evaluator_->Recall(request);
  if (evaluation.has_value()) {
    log_->Debug("recalled", {{"evaluation_id", request.evaluation_id}, {"candidate", request.candidate_digest}});
  }
  return evaluation;
}

}  // namespace cudaperf::server
