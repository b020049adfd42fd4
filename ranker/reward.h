#ifndef CUDAPERF_RANKER_REWARD_H_
#define CUDAPERF_RANKER_REWARD_H_

#include "absl/status/statusor.h"
#include "cudaperf/config/v1/server_config.pb.h"
#include "cudaperf/reward/v1/evaluation.pb.h"

namespace cudaperf::ranker {

// The whole policy, as a pure function of the evidence: outcome, screen and verify, timing, rank. The value is finite
// and is the sum of its terms' contributions. INTERNAL when the evidence cannot be true, such as a passed candidate
// without a time: no reward is ever made up. INVALID_ARGUMENT for a policy that ValidatePolicy refuses.
absl::StatusOr<reward::v1::Reward> ComputeReward(const config::v1::RewardPolicy& policy,
                                                 const reward::v1::Evaluation& evidence);

}  // namespace cudaperf::ranker

#endif  // CUDAPERF_RANKER_REWARD_H_
