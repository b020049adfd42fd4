#include "sandbox/judge/launcher_session.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "proto/duration.h"

namespace cudaperf::sandbox {
namespace {

// After the call's end: to hear why it ended, from a device that may still be busy.
constexpr absl::Duration kCollectLimit = absl::Milliseconds(250);
// Loading, and the time between calls.
constexpr absl::Duration kMargin = absl::Seconds(60);
constexpr size_t kMaxClaimBytes = 512;
// What the emulated runtime and the kernel may take of the host process's processor time, on a slow and busy machine:
// for a call with its page faults and the first use of its program, for each request to the device, for each byte
// copied. Work of the candidate may hide below it: as much as a GPU does in some microseconds.
constexpr absl::Duration kCallCost = absl::Milliseconds(10);
constexpr absl::Duration kCommandCost = absl::Microseconds(200);
constexpr absl::Duration kByteCost = absl::Nanoseconds(5);
// Requests cost little when they ask for nothing: this many count.
constexpr int64_t kMostCommands = 2000;

absl::Duration CaseLimit(const worker::v1::ExamineRequest& request) {
  return proto::FromProto(request.case_time_limit());
}

// Text of a hostile process, fit for a report.
std::string Printable(absl::string_view text) {
  std::string clean(text.substr(0, kMaxClaimBytes));
  for (char& c : clean) {
    if (!absl::ascii_isprint(static_cast<unsigned char>(c))) c = '?';
  }
  return clean;
}

// True of the name of a CUDA function, or the beginning of one, that the compiled object refers to.
bool RefersTo(const worker::v1::Program& program, absl::string_view name) {
  return !name.empty() && std::any_of(program.cuda_functions().begin(), program.cuda_functions().end(),
                                      [name](const std::string& function) { return absl::StartsWith(function, name); });
}

// Whether the host process can have met what it says that the runtime lacks: `FUNCTION`, or `FUNCTION|FUNCTION: MORE`.
bool IsPlausible(absl::string_view claim, const worker::v1::Program& program) {
  const absl::string_view functions = claim.substr(0, claim.find(':'));
  const std::vector<absl::string_view> names = absl::StrSplit(functions, '|');
  return std::any_of(names.begin(), names.end(), [&](absl::string_view name) { return RefersTo(program, name); });
}

std::string LieAbout(absl::string_view function) {
  return absl::StrCat("the host process says that it needs ", Printable(function),
                      ", which its compiled object does not refer to");
}

// What became of a call that did not simply return, as far as the host process shows it.
CallOutcome HostOutcome(const RunnerSession::CallEnd& end, const worker::v1::ExamineRequest& request) {
  CallOutcome outcome;
  if (end.kind == RunnerSession::CallEnd::Kind::kTimedOut) {
    outcome.status = reward::v1::CASE_STATUS_TIMED_OUT;
    outcome.detail =
        absl::StrCat(request.task().entry_point(), " did not return within ", absl::FormatDuration(CaseLimit(request)));
  } else if (end.kind == RunnerSession::CallEnd::Kind::kDied) {
    outcome.status = reward::v1::CASE_STATUS_CRASHED;
    outcome.detail =
        absl::StrCat("the host process ", end.detail, " before ", request.task().entry_point(), " returned");
  } else if (const std::string& symbol = end.claim.unresolved_symbol(); !symbol.empty()) {
    const bool is_ours = RefersTo(request.program(), symbol);
    outcome.status = is_ours ? reward::v1::CASE_STATUS_NOT_SCREENED : reward::v1::CASE_STATUS_CRASHED;
    outcome.detail = is_ours ? absl::StrCat("unsupported: ", Printable(symbol))
                             : absl::StrCat("nothing defines the function ", Printable(symbol));
  } else if (!end.claim.error().empty()) {
    outcome.status = reward::v1::CASE_STATUS_CRASHED;
    outcome.detail = absl::StrCat("the host process says: ", Printable(end.claim.error()));
  }
  return outcome;
}

}  // namespace

absl::StatusOr<std::unique_ptr<ProgramSession>> LauncherSession::Start(ExaminedDevice device,
                                                                       const WorkerSettings& settings,
                                                                       const worker::v1::ExamineRequest& request,
                                                                       Interruption* interruption) {
  RunnerSession::Options options{
      .shared_object = request.program().shared_object(),
      .lifetime = 2 * CaseLimit(request) * std::max(1, request.case_indices_size()) + kMargin,
      .device_commands = device.session().TakeCommandEnd()};
  absl::StatusOr<std::unique_ptr<RunnerSession>> runner =
      RunnerSession::Start(settings, std::move(options), interruption);
  if (!runner.ok()) return runner.status();
  return std::unique_ptr<ProgramSession>(new LauncherSession(std::move(device), *std::move(runner), request));
}

absl::Status LauncherSession::BeginCase(int case_index, const std::vector<ParameterLayout>& layout,
                                        const CallBuffers& buffers) {
  buffers_ = &buffers;
  return uses_host_memory() ? absl::OkStatus() : device_.Attach(layout, buffers);
}

worker::v1::InvokeRequest LauncherSession::Arguments(const CaseDraw& draw, std::vector<int>& fds) const {
  if (uses_host_memory()) return buffers_->HostArguments(draw, fds);
  worker::v1::InvokeRequest request;
  for (size_t i = 0; i < draw.layout.size(); ++i) {
    request.add_arguments()->set_value(draw.layout[i].is_buffer ? device_.AddressBytes(static_cast<int>(i))
                                                                : draw.inputs[i]);
  }
  return request;
}

absl::StatusOr<CallOutcome> LauncherSession::Call(const CaseDraw& draw, int call) {
  if (absl::Status status = device_.session().Reset(/*warp_schedule=*/call); !status.ok()) return status;
  std::vector<int> fds;
  const worker::v1::InvokeRequest arguments = Arguments(draw, fds);
  time_before_ = runner_->ProcessorTime();
  const absl::Time start = absl::Now();
  const absl::Time deadline = start + CaseLimit(request_);
  const absl::StatusOr<RunnerSession::CallEnd> end = runner_->Invoke(arguments, fds, deadline);
  if (!end.ok()) return end.status();
  const absl::Duration duration = absl::Now() - start;

  CallOutcome host = HostOutcome(*end, request_);
  const bool has_returned = host.status == reward::v1::CASE_STATUS_UNSPECIFIED;
  absl::StatusOr<worker::v1::CollectResponse> collected =
      device_.session().Collect(has_returned ? deadline + kCollectLimit : absl::Now() + kCollectLimit);
  if (absl::IsDeadlineExceeded(collected.status())) {
    if (!has_returned) return host;
    host.status = reward::v1::CASE_STATUS_TIMED_OUT;
    host.detail = "the device was still busy when the time was over";
    return host;
  }
  if (!collected.ok()) return collected.status();
  CallOutcome outcome = OutcomeOf(*std::move(collected));
  outcome.duration = duration;
  const std::string& claim = outcome.collected.unsupported_claim();
  if (!claim.empty() && !IsPlausible(claim, request_.program())) {
    outcome.rejection = LieAbout(claim);
    return outcome;
  }
  // Host code that checks for errors exits because of the device's fault: the fault is what to report.
  if (has_returned || outcome.status != reward::v1::CASE_STATUS_UNSPECIFIED) return outcome;
  outcome.status = host.status;
  outcome.detail = outcome.detail.empty() ? host.detail : absl::StrCat(host.detail, "; before that: ", outcome.detail);
  return outcome;
}

absl::Duration LauncherSession::HostWork(const worker::v1::CollectResponse& collected) const {
  const reward::v1::Transfers& transfers = collected.transfers();
  const int64_t copied_bytes = transfers.host_to_device_bytes() + transfers.device_to_host_bytes();
  const absl::Duration allowed =
      kCallCost + kByteCost * copied_bytes + kCommandCost * std::min(collected.command_count(), kMostCommands);
  return std::max(runner_->ProcessorTime() - time_before_ - allowed, absl::ZeroDuration());
}

absl::Status LauncherSession::EndCase() {
  buffers_ = nullptr;
  return uses_host_memory() ? absl::OkStatus() : device_.session().DetachAll();
}

}  // namespace cudaperf::sandbox
