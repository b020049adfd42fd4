#include "server/metered_evaluator.h"

#include <utility>

namespace cudaperf::server {
namespace {

absl::string_view TaskKind(const EvaluationRequest& request) {
  return request.task->task.has_cuda() ? "cuda" : "other";
}

}  // namespace

MeteredEvaluator::MeteredEvaluator(std::unique_ptr<Evaluator> evaluator, ServerMetrics* metrics)
    : evaluator_(std::move(evaluator)), metrics_(metrics) {}

absl::StatusOr<reward::v1::Evaluation> MeteredEvaluator::Evaluate(const EvaluationRequest& request,
                                                                  const sandbox::CallScope& scope) {
  absl::StatusOr<reward::v1::Evaluation> evaluation = evaluator_->Evaluate(request, scope);
  if (evaluation.ok()) metrics_->CountEvaluation(*evaluation, TaskKind(request));
  return evaluation;
}

std::optional<reward::v1::Evaluation> MeteredEvaluator::Recall(const EvaluationRequest& request) {
  std::optional<reward::v1::Evaluation> evaluation = evaluator_->Recall(request);
  if (evaluation.has_value()) metrics_->CountEvaluation(*evaluation, TaskKind(request));
  return evaluation;
}

}  // namespace cudaperf::server
