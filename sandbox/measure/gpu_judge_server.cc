#include "sandbox/measure/gpu_judge_server.h"

#include <algorithm>
#include <utility>

#include "proto/duration.h"
#include "sandbox/judge/reference_case_source.h"
#include "sandbox/measure/measurement.h"

namespace cudaperf::sandbox {
namespace {

// Inputs and expected outputs of small cases kept in memory.
constexpr int64_t kKnownBytes = int64_t{256} << 20;
constexpr absl::Duration kEpoch = absl::Minutes(10);
// A reference is plain C on one core, and full-size cases are sized for a GPU.
constexpr absl::Duration kReferenceLimit = absl::Minutes(3);

}  // namespace

GpuJudgeServer::GpuJudgeServer(FrameChannel daemon, WorkerSettings settings, std::string selection)
    : settings_(std::move(settings)),
      selection_(std::move(selection)),
      daemon_(std::move(daemon)),
      interruption_(&daemon_),
      warm_(&settings_, &interruption_, &retirement_),
      known_(kKnownBytes, kEpoch) {}

absl::Status GpuJudgeServer::Start() {
  absl::StatusOr<std::unique_ptr<GpuDevice>> gpu = GpuDevice::Open(selection_);
  if (!gpu.ok()) return gpu.status();
  gpu_ = *std::move(gpu);
  pool_ = std::make_unique<GpuRunnerPool>(settings_, gpu_.get());
  // Before saying so: a judge whose runners do not get warm is not ready.
  return pool_->WarmUp(&interruption_);
}

absl::Status GpuJudgeServer::SendReady(const absl::Status& status) {
  worker::v1::JudgeResponse response;
  worker::v1::JudgeReady& ready = *response.mutable_ready();
  ready.set_status_code(static_cast<int>(status.code()));
  ready.set_status_message(std::string(status.message()));
  if (status.ok()) *ready.mutable_gpu() = gpu_->identity();
  return daemon_.Send(response);
}

absl::Status GpuJudgeServer::Run() {
  const absl::Status started = Start();
  if (absl::Status sent = SendReady(started); !sent.ok() || !started.ok()) return sent;
  while (true) {
    warm_.WorkUntilReadable(daemon_.fd());
    const auto request = daemon_.ReceiveMessage<worker::v1::JudgeRequest>();
    if (absl::IsUnavailable(request.status())) return absl::OkStatus();
    if (!request.ok()) return request.status();
    // A cancellation that crossed its request's answer.
    if (!request->has_measure()) continue;
    worker::v1::JudgeResponse response;
    worker::v1::MeasureResponse& measure = *response.mutable_measure();
    absl::StatusOr<worker::v1::MeasureResponse> measured = Measure(request->measure());
    if (measured.ok()) {
      measure = *std::move(measured);
    } else {
      measure.set_status_code(static_cast<int>(measured.status().code()));
      measure.set_status_message(std::string(measured.status().message()));
    }
    measure.set_id(request->measure().id());
    const absl::Status sent = daemon_.Send(response);
    if (absl::IsUnavailable(sent)) return absl::OkStatus();
    if (!sent.ok()) return sent;
    // A failure shows again, and is answered, when the next measurement needs a runner.
    (void)pool_->Refill();
  }
}

absl::StatusOr<worker::v1::MeasureResponse> GpuJudgeServer::Measure(const worker::v1::MeasureRequest& request) {
  interruption_.BeginRequest(request.id());
  WarmTask& task = warm_.Find(request.task_id(), request.task(), request.reference_shared_object(), kReferenceLimit);
  ReferenceCaseSource source(&task, known_.BeginRequest(absl::Now()), &known_);
  return Measurement(request, {.gpu = gpu_.get(),
                               .pool = pool_.get(),
                               .baselines = &baselines_,
                               .source = &source,
                               .reference = &task.reference(),
                               .interruption = &interruption_,
                               .retirement = &retirement_})
      .Run();
}

}  // namespace cudaperf::sandbox
