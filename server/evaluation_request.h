#ifndef CUDAPERF_SERVER_EVALUATION_REQUEST_H_
#define CUDAPERF_SERVER_EVALUATION_REQUEST_H_

#include <memory>
#include <string>

#include "absl/time/time.h"
#include "cudaperf/reward/v1/task.pb.h"
#include "server/registered_task.h"

namespace cudaperf::server {

// One candidate to evaluate: validated, its task admitted.
struct EvaluationRequest {
  // Unique in this daemon; in its log lines and in the answer.
  std::string evaluation_id;
  std::shared_ptr<const RegisteredTask> task;
  reward::v1::Candidate candidate;
  std::string candidate_digest;
  // Name of a configured policy.
  std::string reward_policy;
  int feedback_limit_bytes = 4096;
  enum class CacheUse { kReadAndWrite, kWriteOnly } cache_use = CacheUse::kReadAndWrite;
  // Spent on this request before its evaluation began.
  absl::Duration admit_duration;
  absl::Duration queue_duration;
};

}  // namespace cudaperf::server

#endif  // CUDAPERF_SERVER_EVALUATION_REQUEST_H_
