#include "server/queued_reward_service.h"

#include <memory>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "proto/duration.h"
#include "sandbox/task/task_digest.h"
#include "server/evaluation_id.h"
#include "server/queued_call.h"
#include "server/request_validation.h"

namespace cudaperf::server {
namespace {

using reward::v1::EvaluateKernelRequest;
using reward::v1::EvaluateKernelResponse;
using reward::v1::RegisterTaskRequest;
using reward::v1::RegisterTaskResponse;

constexpr int kDefaultFeedbackBytes = 4096;

absl::Status Draining() { return absl::UnavailableError("this daemon is draining: send the request to another one"); }

absl::Status NoSuchTask(const std::string& task_id) {
  return absl::NotFoundError(
      absl::StrCat("task_id: no task `", task_id, "` is registered here: register it, or send it inline as `task`"));
}

template <typename Request>
absl::StatusOr<std::shared_ptr<Request>> Parse(grpc::ByteBuffer bytes) {
  auto request = std::make_shared<Request>();
  if (grpc::SerializationTraits<Request>::Deserialize(&bytes, request.get()).ok()) return request;
  return absl::InvalidArgumentError(absl::StrCat("request: does not parse as ", Request::descriptor()->full_name(),
                                                 "; every text in it, candidate.source too, must be UTF-8"));
}

template <typename Response>
absl::Status Write(const Response& response, grpc::ByteBuffer* answer) {
  bool owns_buffer = false;
  const grpc::Status status = grpc::SerializationTraits<Response>::Serialize(response, answer, &owns_buffer);
  return status.ok() ? absl::OkStatus() : absl::InternalError("the answer cannot be serialised");
}

EvaluateKernelResponse Respond(const std::string& request_id, reward::v1::Evaluation evaluation) {
  EvaluateKernelResponse response;
  response.set_request_id(request_id);
  *response.mutable_evaluation() = std::move(evaluation);
  return response;
}

}  // namespace

QueuedRewardService::QueuedRewardService(Options options) : options_(std::move(options)), started_at_(absl::Now()) {}

grpc::ServerUnaryReactor* QueuedRewardService::EvaluateKernel(grpc::CallbackServerContext* context,
                                                              const grpc::ByteBuffer* bytes, grpc::ByteBuffer* answer) {
  const absl::Time arrived_at = absl::Now();
  auto* call = new QueuedCall(options_.queue, context, stop_all_.get_token(),
                              [this](const absl::Status& status) { CountRefusal("EvaluateKernel", status); });
  absl::StatusOr<std::shared_ptr<EvaluateKernelRequest>> request = Parse<EvaluateKernelRequest>(*bytes);
  absl::StatusOr<EvaluationRequest> evaluation =
      request.ok() ? Admit(**request, arrived_at) : absl::StatusOr<EvaluationRequest>(request.status());
  if (!evaluation.ok()) {
    call->FinishNow(evaluation.status());
    return call;
  }
  const std::string request_id = (*request)->request_id();
  if (evaluation->task != nullptr) {
    if (std::optional<reward::v1::Evaluation> known = options_.evaluator->Recall(*evaluation)) {
      call->FinishNow(Write(Respond(request_id, *std::move(known)), answer));
      return call;
    }
  }
  call->Enqueue([this, request_id, answer, request = *std::move(request), evaluation = *std::move(evaluation)](
                    const sandbox::CallScope& scope, absl::Duration waited) mutable {
    evaluation.queue_duration = waited;
    absl::StatusOr<reward::v1::Evaluation> result = Evaluate(request->task(), std::move(evaluation), scope);
    return result.ok() ? Write(Respond(request_id, *std::move(result)), answer) : result.status();
  });
  return call;
}

absl::StatusOr<EvaluationRequest> QueuedRewardService::Admit(const EvaluateKernelRequest& request,
                                                             absl::Time arrived_at) {
  if (draining_) return Draining();
  if (absl::Status status = ValidateRequest(request, options_.config); !status.ok()) return status;
  EvaluationRequest evaluation;
  evaluation.evaluation_id = NewEvaluationId();
  evaluation.task =
      options_.registry->Find(request.has_task() ? sandbox::TaskDigest(request.task()) : request.task_id());
  if (evaluation.task == nullptr && !request.has_task()) return NoSuchTask(request.task_id());
  evaluation.candidate = request.candidate();
  evaluation.candidate_digest = sandbox::CandidateDigest(request.candidate());
  evaluation.reward_policy = FindPolicy(options_.config, request.reward_policy())->name();
  evaluation.feedback_limit_bytes =
      request.feedback_limit_bytes() == 0 ? kDefaultFeedbackBytes : request.feedback_limit_bytes();
  using CacheUse = EvaluationRequest::CacheUse;
  evaluation.cache_use = request.skip_cache() ? CacheUse::kWriteOnly : CacheUse::kReadAndWrite;
  evaluation.admit_duration = absl::Now() - arrived_at;
  return evaluation;
}

absl::StatusOr<reward::v1::Evaluation> QueuedRewardService::Evaluate(const reward::v1::Task& inline_task,
                                                                     EvaluationRequest evaluation,
                                                                     const sandbox::CallScope& scope) {
  if (evaluation.task == nullptr) {
    absl::StatusOr<TaskRegistry::Entry> task = options_.registry->Adopt(inline_task, scope);
    if (!task.ok()) return task.status();
    evaluation.task = *std::move(task);
  }
  return options_.evaluator->Evaluate(evaluation, scope);
}

grpc::ServerUnaryReactor* QueuedRewardService::RegisterTask(grpc::CallbackServerContext* context,
                                                            const grpc::ByteBuffer* bytes, grpc::ByteBuffer* answer) {
  auto* call = new QueuedCall(options_.queue, context, stop_all_.get_token(),
                              [this](const absl::Status& status) { CountRefusal("RegisterTask", status); });
  absl::StatusOr<std::shared_ptr<RegisterTaskRequest>> request = Parse<RegisterTaskRequest>(*bytes);
  absl::Status status = request.status();
  if (status.ok()) status = draining_ ? Draining() : ValidateRequest(**request, options_.config);
  if (!status.ok()) {
    call->FinishNow(status);
    return call;
  }
  call->Enqueue([this, answer, request = *std::move(request)](const sandbox::CallScope& scope, absl::Duration) {
    absl::StatusOr<RegisterTaskResponse> response = Register(*request, scope);
    return response.ok() ? Write(*response, answer) : response.status();
  });
  return call;
}

absl::StatusOr<RegisterTaskResponse> QueuedRewardService::Register(const RegisterTaskRequest& request,
                                                                   const sandbox::CallScope& scope) {
  const absl::Time started_at = absl::Now();
  absl::StatusOr<TaskRegistry::Entry> task = request.validate_only()
                                                 ? options_.registry->Check(request.task(), scope)
                                                 : options_.registry->Register(request.task(), scope);
  options_.log->Info(task.ok() ? "task_admitted" : "task_refused",
                     {{"task", request.task().name()},
                      {"task_id", task.ok() ? (*task)->task_id : sandbox::TaskDigest(request.task())},
                      {"status", absl::StatusCodeToString(task.status().code())},
                      {"seconds", absl::ToDoubleSeconds(absl::Now() - started_at)}});
  if (!task.ok()) return task.status();
  RegisterTaskResponse response;
  response.set_task_id((*task)->task_id);
  response.set_launcher_prototype((*task)->launcher_prototype);
  *response.mutable_baseline() = (*task)->baseline_screen;
  response.mutable_baseline()->mutable_cases()->MergeFrom((*task)->baseline_verify.cases());
  return response;
}

grpc::ServerUnaryReactor* QueuedRewardService::ListTasks(grpc::CallbackServerContext* context,
                                                         const reward::v1::ListTasksRequest*,
                                                         reward::v1::ListTasksResponse* response) {
  for (const TaskRegistry::Listed& listed : options_.registry->List()) {
    reward::v1::ListTasksResponse::Entry* entry = response->add_tasks();
    entry->set_task_id(listed.task->task_id);
    entry->set_name(listed.name);
    entry->set_description(listed.task->task.description());
    entry->set_launcher_prototype(listed.task->launcher_prototype);
    entry->set_case_count(listed.task->task.cuda().cases_size());
  }
  grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
  reactor->Finish(grpc::Status::OK);
  return reactor;
}

grpc::ServerUnaryReactor* QueuedRewardService::DescribeServer(grpc::CallbackServerContext* context,
                                                              const reward::v1::DescribeServerRequest*,
                                                              reward::v1::DescribeServerResponse* response) {
  const ServerIdentity& identity = options_.identity;
  response->set_server_version(identity.server_version);
  response->set_device(identity.device);
  response->set_gpu(identity.gpu);
  response->set_driver_version(identity.driver_version);
  response->set_toolkit_version(identity.toolkit_version);
  response->set_sandbox_level(identity.sandbox_level);
  response->set_timing_source(identity.timing_source);
  response->set_ranker_model(identity.ranker_model);
  const config::v1::ServerConfig& config = options_.config;
  for (const config::v1::RewardPolicy& policy : config.reward_policies()) response->add_reward_policies(policy.name());
  response->set_default_reward_policy(config.default_reward_policy());
  response->set_slot_count(config.slot_count());
  response->set_queue_limit(config.queue_limit());
  response->set_queued_count(options_.queue->queued_count());
  response->set_in_flight_count(options_.queue->in_flight_count());
  response->set_max_source_bytes(config.max_source_bytes());
  response->set_max_message_bytes(config.max_message_bytes());
  *response->mutable_uptime() = proto::ToProto(absl::Now() - started_at_);
  grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
  reactor->Finish(grpc::Status::OK);
  return reactor;
}

void QueuedRewardService::Drain() {
  draining_ = true;
  options_.queue->Close();
}

void QueuedRewardService::StopAll() { stop_all_.request_stop(); }

void QueuedRewardService::CountRefusal(const char* method, const absl::Status& status) {
  if (status.ok()) return;
  const std::string code = absl::StatusCodeToString(status.code());
  options_.metrics->CountRejected(method, code);
  options_.log->Debug("request_refused", {{"method", method}, {"code", code}});
}

}  // namespace cudaperf::server
