#ifndef CUDAPERF_SERVER_LOGGING_EVALUATOR_H_
#define CUDAPERF_SERVER_LOGGING_EVALUATOR_H_

#include <memory>

#include "server/evaluator.h"
#include "server/event_log.h"

namespace cudaperf::server {

// Writes a line when an evaluation starts and one when it ends; cached answers only at debug level. Thread-safe.
class LoggingEvaluator : public Evaluator {
 public:
  // `log` is not owned; outlives this.
  LoggingEvaluator(std::unique_ptr<Evaluator> evaluator, EventLog* log);

  absl::StatusOr<reward::v1::Evaluation> Evaluate(const EvaluationRequest& request,
                                                  const sandbox::CallScope& scope) override;
  std::optional<reward::v1::Evaluation> Recall(const EvaluationRequest& request) override;

 private:
  const std::unique_ptr<Evaluator> evaluator_;
  EventLog* const log_;
};

}  // namespace cudaperf::server

#endif  // CUDAPERF_SERVER_LOGGING_EVALUATOR_H_
