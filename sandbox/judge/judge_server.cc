#include "sandbox/judge/judge_server.h"

#include <algorithm>
#include <string>
#include <utility>

#include "proto/duration.h"
#include "sandbox/judge/admission.h"
#include "sandbox/judge/examination.h"
#include "sandbox/judge/reference.h"
#include "sandbox/judge/reference_case_source.h"

namespace cudaperf::sandbox {
namespace {

// Inputs and expected outputs kept in memory.
constexpr int64_t kKnownBytes = int64_t{256} << 20;
// Inputs of a task stay the same this long.
constexpr absl::Duration kEpoch = absl::Minutes(10);

// A reference may take as long as a candidate: a request is bounded, whatever its task does.
absl::Duration ReferenceLimit(const google::protobuf::Duration& case_time_limit) {
  return std::max(proto::FromProto(case_time_limit), absl::Milliseconds(1));
}

}  // namespace

JudgeServer::JudgeServer(FrameChannel daemon, WorkerSettings settings)
    : daemon_(std::move(daemon)),
      interruption_(&daemon_),
      pool_(std::move(settings)),
      known_(kKnownBytes, kEpoch),
      warm_(&pool_.settings(), &interruption_, &retirement_) {}

absl::Status JudgeServer::Run() {
  // Before saying so: a judge that cannot start its workers is not ready.
  if (absl::Status status = pool_.AwaitOne(); !status.ok()) return status;
  if (absl::Status status = daemon_.Send(worker::v1::JudgeResponse()); !status.ok()) return status;
  while (true) {
    warm_.WorkUntilReadable(daemon_.fd());
    const auto request = daemon_.ReceiveMessage<worker::v1::JudgeRequest>();
    if (absl::IsUnavailable(request.status())) return absl::OkStatus();
    if (!request.ok()) return request.status();
    // One that crossed its request's answer.
    if (request->has_cancel()) continue;
    const worker::v1::JudgeResponse response = Answer(*request);
    absl::Status sent = daemon_.Send(response);
    retirement_.Add(std::move(spent_));
    if (absl::IsUnavailable(sent)) return absl::OkStatus();
    if (!sent.ok()) return sent;
    pool_.Refill();
  }
}

worker::v1::JudgeResponse JudgeServer::Answer(const worker::v1::JudgeRequest& request) {
  worker::v1::JudgeResponse response;
  if (request.has_admit()) {
    worker::v1::AdmitResponse& admit = *response.mutable_admit();
    interruption_.BeginRequest(request.admit().id());
    absl::StatusOr<std::string> refusal = Admit(request.admit());
    admit.set_id(request.admit().id());
    if (refusal.ok()) {
      admit.set_refusal(*std::move(refusal));
    } else {
      admit.set_status_code(static_cast<int>(refusal.status().code()));
      admit.set_status_message(std::string(refusal.status().message()));
    }
    return response;
  }
  worker::v1::ExamineResponse& examine = *response.mutable_examine();
  interruption_.BeginRequest(request.examine().id());
  absl::StatusOr<worker::v1::ExamineResponse> result = Examine(request.examine());
  if (result.ok()) {
    examine = *std::move(result);
  } else {
    examine.set_status_code(static_cast<int>(result.status().code()));
    examine.set_status_message(std::string(result.status().message()));
  }
  examine.set_id(request.examine().id());
  return response;
}

absl::StatusOr<worker::v1::ExamineResponse> JudgeServer::Examine(const worker::v1::ExamineRequest& request) {
  WarmTask& task = warm_.Find(request.task_id(), request.task(), request.reference_shared_object(),
                              ReferenceLimit(request.case_time_limit()));
  ReferenceCaseSource source(&task, known_.BeginRequest(absl::Now()), &known_);
  Examination examination(request, &source, &pool_, &interruption_);
  absl::StatusOr<worker::v1::ExamineResponse> response = examination.Run();
  // An interruption is answered when nothing runs any more; a result at once.
  if (response.ok()) spent_ = examination.TakeRemains();
  return response;
}

absl::StatusOr<std::string> JudgeServer::Admit(const worker::v1::AdmitRequest& request) {
  if (!request.has_case_time_limit()) return absl::InvalidArgumentError("case_time_limit must be above zero");
  WarmTask& task = warm_.Find(request.task_id(), request.task(), request.reference_shared_object(),
                              ReferenceLimit(request.case_time_limit()));
  ReferenceCaseSource source(&task, known_.BeginRequest(absl::Now()), &known_);
  return Admission(request.task(), &source, &task.reference(), &interruption_).FindRefusal();
}

}  // namespace cudaperf::sandbox
