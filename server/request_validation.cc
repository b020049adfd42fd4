#include "server/request_validation.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "sandbox/task/task_validation.h"

namespace cudaperf::server {
namespace {

using reward::v1::EvaluateKernelRequest;

constexpr int kMaxRequestIdBytes = 128;
constexpr int kMaxTaskIdBytes = 128;

absl::Status Invalid(absl::string_view field, absl::string_view sentence) {
  return absl::InvalidArgumentError(absl::StrCat(field, ": ", sentence));
}

absl::Status ValidateTaskField(const reward::v1::Task& task, const config::v1::ServerConfig& config) {
  if (!task.reference_file().empty() || !task.baseline_file().empty()) {
    return Invalid(task.reference_file().empty() ? "task.baseline_file" : "task.reference_file",
                   "the server reads no files: put the content into cuda.reference_source and cuda.baseline.source, as "
                   "`cudaperf` does");
  }
  const absl::Status status = sandbox::ValidateTask(task, config.limits().device_memory_bytes());
  if (!absl::IsInvalidArgument(status)) return status;
  return absl::InvalidArgumentError(absl::StrCat("task.", status.message()));
}

absl::Status ValidateTaskSource(const EvaluateKernelRequest& request, const config::v1::ServerConfig& config) {
  switch (request.task_source_case()) {
    case EvaluateKernelRequest::kTaskId:
      if (request.task_id().empty()) return Invalid("task_id", "empty: give the name or digest of a registered task");
      if (request.task_id().size() > kMaxTaskIdBytes) return Invalid("task_id", "longer than 128 bytes");
      return absl::OkStatus();
    case EvaluateKernelRequest::kTask:
      return ValidateTaskField(request.task(), config);
    default:
      return Invalid("task_source", "missing: set task_id (a registered task) or task (inline)");
  }
}

absl::Status ValidateCandidateField(const EvaluateKernelRequest& request, const config::v1::ServerConfig& config) {
  if (!request.has_candidate()) return Invalid("candidate", "missing: set candidate.source");
  return sandbox::ValidateCandidate(request.candidate(), config.max_source_bytes());
}

absl::Status ValidatePolicy(const std::string& name, const config::v1::ServerConfig& config) {
  if (FindPolicy(config, name) != nullptr) return absl::OkStatus();
  std::vector<std::string> names;
  for (const config::v1::RewardPolicy& policy : config.reward_policies()) names.push_back(policy.name());
  return Invalid("reward_policy", absl::StrCat("unknown; this server has ", absl::StrJoin(names, ", ")));
}

}  // namespace

absl::Status ValidateRequest(const EvaluateKernelRequest& request, const config::v1::ServerConfig& config) {
  if (request.request_id().size() > kMaxRequestIdBytes) {
    return Invalid("request_id", absl::StrCat(request.request_id().size(), " bytes; at most ", kMaxRequestIdBytes));
  }
  if (absl::Status status = ValidateTaskSource(request, config); !status.ok()) return status;
  if (absl::Status status = ValidateCandidateField(request, config); !status.ok()) return status;
  if (absl::Status status = ValidatePolicy(request.reward_policy(), config); !status.ok()) return status;
  const int limit = request.feedback_limit_bytes();
  if (limit != 0 && (limit < 256 || limit > 65536)) {
    return Invalid("feedback_limit_bytes", absl::StrCat("must be 256 .. 65536, or 0 for 4096; was ", limit));
  }
  return absl::OkStatus();
}

absl::Status ValidateRequest(const reward::v1::RegisterTaskRequest& request, const config::v1::ServerConfig& config) {
  if (!request.has_task()) return Invalid("task", "missing");
  return ValidateTaskField(request.task(), config);
}

const config::v1::RewardPolicy* FindPolicy(const config::v1::ServerConfig& config, const std::string& name) {
  const std::string& wanted = name.empty() ? config.default_reward_policy() : name;
  for (const config::v1::RewardPolicy& policy : config.reward_policies()) {
    if (policy.name() == wanted) return &policy;
  }
  return nullptr;
}

}  // namespace cudaperf::server
