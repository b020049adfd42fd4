#include "server/conclusion.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "ranker/reward.h"
#include "server/feedback.h"
#include "server/request_validation.h"

namespace cudaperf::server {

absl::StatusOr<reward::v1::Reward> ConcludeReward(const config::v1::ServerConfig& config,
                                                  const EvaluationRequest& request,
                                                  const reward::v1::Evaluation& evidence) {
  const config::v1::RewardPolicy* policy = FindPolicy(config, request.reward_policy);
  if (policy == nullptr) return absl::InternalError(absl::StrCat("no reward policy ", request.reward_policy));
  return ranker::ComputeReward(*policy, evidence);
}

reward::v1::Feedback ConcludeFeedback(const EvaluationRequest& request, const reward::v1::Evaluation& evidence) {
  return ComposeFeedback(request.task->task, request.candidate, evidence, request.feedback_limit_bytes);
}

}  // namespace cudaperf::server
