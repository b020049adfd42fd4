#ifndef CUDAPERF_SERVER_METERED_EVALUATOR_H_
#define CUDAPERF_SERVER_METERED_EVALUATOR_H_

#include <memory>

#include "server/evaluator.h"
#include "server/server_metrics.h"

namespace cudaperf::server {

// Counts evaluations and their stages. Thread-safe.
class MeteredEvaluator : public Evaluator {
 public:
  // `metrics` is not owned; outlives this.
  MeteredEvaluator(std::unique_ptr<Evaluator> evaluator, ServerMetrics* metrics);

  absl::StatusOr<reward::v1::Evaluation> Evaluate(const EvaluationRequest& request,
                                                  const sandbox::CallScope& scope) override;
  std::optional<reward::v1::Evaluation> Recall(const EvaluationRequest& request) override;

 private:
  const std::unique_ptr<Evaluator> evaluator_;
  ServerMetrics* const metrics_;
};

}  // namespace cudaperf::server

#endif  // CUDAPERF_SERVER_METERED_EVALUATOR_H_
