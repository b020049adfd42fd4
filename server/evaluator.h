#ifndef CUDAPERF_SERVER_EVALUATOR_H_
#define CUDAPERF_SERVER_EVALUATOR_H_

#include <optional>

#include "absl/status/statusor.h"
#include "cudaperf/reward/v1/evaluation.pb.h"
#include "sandbox/worker/call_scope.h"
#include "server/evaluation_request.h"

namespace cudaperf::server {

// Turns a candidate into an evaluation. Thread-safe.
class Evaluator {
 public:
  virtual ~Evaluator() = default;

  // Blocks until the road is walked. A non-OK status is about us, the load or the caller, never about the candidate.
  virtual absl::StatusOr<reward::v1::Evaluation> Evaluate(const EvaluationRequest& request,
                                                          const sandbox::CallScope& scope) = 0;

  // Answers without any work, or not at all. Never blocks.
  virtual std::optional<reward::v1::Evaluation> Recall(const EvaluationRequest& request) = 0;
};

}  // namespace cudaperf::server

#endif  // CUDAPERF_SERVER_EVALUATOR_H_
