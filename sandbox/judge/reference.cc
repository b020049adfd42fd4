#include "sandbox/judge/reference.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace cudaperf::sandbox {
namespace {

// Of one process; then it is replaced.
constexpr absl::Duration kLifetime = absl::Hours(1);

}  // namespace

absl::StatusOr<Reference::Outputs> JailedReference::Run(const CaseDraw& draw, uint8_t poison) {
  if (running_.has_value()) ended_ = Await();
  // One that has served before may die of something else than this call: its lifetime, or a killer from outside.
  const bool has_served = runner_ != nullptr && runner_->IsAlive();
  if (absl::Status begun = Begin(draw, poison); !begun.ok()) return begun;
  absl::StatusOr<Outputs> outputs = Await();
  if (!has_served || runner_ != nullptr || !absl::IsFailedPrecondition(outputs.status())) return outputs;
  if (absl::Status begun = Begin(draw, poison); !begun.ok()) return begun;
  return Await();
}

absl::Status JailedReference::Begin(const CaseDraw& draw, uint8_t poison) {
  if (runner_ == nullptr || !runner_->IsAlive()) {
    if (absl::Status status = StartRunner(); !status.ok()) return status;
  }
  absl::StatusOr<CallBuffers> buffers = CallBuffers::Create(draw.layout);
  if (!buffers.ok()) return buffers.status();
  buffers->Prepare(draw, poison);
  std::vector<int> fds;
  const worker::v1::InvokeRequest request = buffers->HostArguments(draw, fds);
  const absl::Time deadline = absl::Now() + call_limit_;
  if (absl::Status begun = runner_->Begin(request, fds, deadline); !begun.ok()) {
    runner_ = nullptr;
    return begun;
  }
  running_.emplace(Call{*std::move(buffers), deadline});
  return absl::OkStatus();
}

absl::StatusOr<Reference::Outputs> JailedReference::End() {
  if (!ended_.has_value()) return Await();
  absl::StatusOr<Outputs> outputs = *std::move(ended_);
  ended_.reset();
  return outputs;
}

void JailedReference::Abandon() {
  ended_.reset();
  if (!running_.has_value()) return;
  running_.reset();
  runner_ = nullptr;
}

absl::Status JailedReference::StartRunner() {
  absl::StatusOr<std::unique_ptr<RunnerSession>> runner = RunnerSession::Start(
      settings_, {.shared_object = shared_object_, .lifetime = kLifetime, .device_commands = UniqueFd()}, interruption_);
  if (!runner.ok()) return runner.status();
  runner_ = *std::move(runner);
  return absl::OkStatus();
}

absl::StatusOr<Reference::Outputs> JailedReference::Await() {
  const absl::StatusOr<RunnerSession::CallEnd> end = runner_->End(running_->deadline);
  const CallBuffers buffers = std::move(running_->buffers);
  running_.reset();
  if (!end.ok()) {
    runner_ = nullptr;
    return end.status();
  }
  if (end->kind != RunnerSession::CallEnd::Kind::kReturned) {
    runner_ = nullptr;
    const std::string what = end->kind == RunnerSession::CallEnd::Kind::kTimedOut
                                 ? absl::StrCat("did not return within ", absl::FormatDuration(call_limit_))
                                 : end->detail;
    return absl::FailedPreconditionError(absl::StrCat("the reference ", what));
  }
  if (!end->claim.error().empty()) {
    return absl::FailedPreconditionError(absl::StrCat("the reference cannot be called: ", end->claim.error()));
  }
  return buffers.Outputs();
}

}  // namespace cudaperf::sandbox
