#ifndef CUDAPERF_SERVER_CONCLUSION_H_
#define CUDAPERF_SERVER_CONCLUSION_H_

#include "absl/status/statusor.h"
#include "cudaperf/config/v1/server_config.pb.h"
#include "cudaperf/reward/v1/evaluation.pb.h"
#include "server/evaluation_request.h"

namespace cudaperf::server {

// What is concluded from evidence: pure functions of it and of the request. Evidence is kept; conclusions are drawn
// afresh for every request, so that one run of a candidate serves every policy and every feedback limit.

// The reward under the request's policy.
absl::StatusOr<reward::v1::Reward> ConcludeReward(const config::v1::ServerConfig& config,
                                                  const EvaluationRequest& request,
                                                  const reward::v1::Evaluation& evidence);

// The text for the model's next turn.
reward::v1::Feedback ConcludeFeedback(const EvaluationRequest& request, const reward::v1::Evaluation& evidence);

}  // namespace cudaperf::server

#endif  // CUDAPERF_SERVER_CONCLUSION_H_
