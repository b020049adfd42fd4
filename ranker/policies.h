#ifndef CUDAPERF_RANKER_POLICIES_H_
#define CUDAPERF_RANKER_POLICIES_H_

#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cudaperf/config/v1/server_config.pb.h"
#include "google/protobuf/repeated_field.h"

namespace cudaperf::ranker {

// Policies that every server has, defaults filled in: `cudaperf-v1` first, then `kevin`, `dr-kernel`,
// `kernelbench-tinker`, `sol`.
std::vector<config::v1::RewardPolicy> ShippedPolicies();

// Puts the documented default into every weight that is not set.
config::v1::RewardPolicy WithDefaults(config::v1::RewardPolicy policy);

// INVALID_ARGUMENT names the field and what it may be.
absl::Status ValidatePolicy(const config::v1::RewardPolicy& policy);

// Shipped and configured policies together, defaults filled in. A configured policy may not take another's name: a
// reward is only comparable with those of the same name.
absl::StatusOr<std::vector<config::v1::RewardPolicy>> ResolvePolicies(
    const google::protobuf::RepeatedPtrField<config::v1::RewardPolicy>& configured);

}  // namespace cudaperf::ranker

#endif  // CUDAPERF_RANKER_POLICIES_H_
