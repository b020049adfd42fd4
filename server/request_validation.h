#ifndef CUDAPERF_SERVER_REQUEST_VALIDATION_H_
#define CUDAPERF_SERVER_REQUEST_VALIDATION_H_

#include "absl/status/status.h"
#include "cudaperf/config/v1/server_config.pb.h"
#include "cudaperf/reward/v1/reward_service.pb.h"

namespace cudaperf::server {

// INVALID_ARGUMENT naming the field and the fix, as `field.path: sentence`. Pure: whether a named task exists is
// another question. Expects validated settings.
absl::Status ValidateRequest(const reward::v1::EvaluateKernelRequest& request, const config::v1::ServerConfig& config);
absl::Status ValidateRequest(const reward::v1::RegisterTaskRequest& request, const config::v1::ServerConfig& config);

// The configured policy of that name; null when there is none. Empty means the default.
const config::v1::RewardPolicy* FindPolicy(const config::v1::ServerConfig& config, const std::string& name);

}  // namespace cudaperf::server

#endif  // CUDAPERF_SERVER_REQUEST_VALIDATION_H_
