#include "sandbox/judge/reference.h"

#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "sandbox/judge/call_buffers.h"

namespace cudaperf::sandbox {
namespace {

// One call; a reference is plain C on one core.
constexpr absl::Duration kCallLimit = absl::Seconds(60);
// All calls of one request.
constexpr absl::Duration kLifetime = absl::Hours(1);

}  // namespace

absl::StatusOr<std::vector<std::string>> JailedReference::Run(const CaseDraw& draw, uint8_t poison) {
  if (runner_ == nullptr) {
    absl::StatusOr<std::unique_ptr<RunnerSession>> runner = RunnerSession::Start(
        settings_, {.shared_object = shared_object_, .lifetime = kLifetime, .device_commands = UniqueFd()},
        interruption_);
    if (!runner.ok()) return runner.status();
    runner_ = *std::move(runner);
  }
  absl::StatusOr<CallBuffers> buffers = CallBuffers::Create(draw.layout);
  if (!buffers.ok()) return buffers.status();
  buffers->Prepare(draw, poison);
  std::vector<int> fds;
  const worker::v1::InvokeRequest request = buffers->HostArguments(draw, fds);
  const absl::StatusOr<RunnerSession::CallEnd> end = runner_->Invoke(request, fds, absl::Now() + kCallLimit);
  if (!end.ok()) return end.status();
  if (end->kind != RunnerSession::CallEnd::Kind::kReturned) {
    runner_ = nullptr;
    const std::string what = end->kind == RunnerSession::CallEnd::Kind::kTimedOut
                                 ? absl::StrCat("did not return within ", absl::FormatDuration(kCallLimit))
                                 : end->detail;
    return absl::FailedPreconditionError(absl::StrCat("the reference ", what));
  }
  if (!end->claim.error().empty()) {
    return absl::FailedPreconditionError(absl::StrCat("the reference cannot be called: ", end->claim.error()));
  }
  std::vector<std::string> outputs(draw.layout.size());
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (!draw.layout[i].is_output() || !buffers->at(static_cast<int>(i)).has_value()) continue;
    outputs[i] = std::string(buffers->at(static_cast<int>(i))->content());
  }
  return outputs;
}

}  // namespace cudaperf::sandbox
