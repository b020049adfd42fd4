#include "sandbox/judge/launcher_session.h"

#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

namespace cudaperf::sandbox {
namespace {

// After the call's end: to hear why it ended, from a device that may still be busy.
constexpr absl::Duration kCollectLimit = absl::Milliseconds(250);
// Loading, and the time between calls.
constexpr absl::Duration kMargin = absl::Seconds(60);
constexpr size_t kMaxClaimBytes = 512;

absl::Duration CaseLimit(const worker::v1::ExamineRequest& request) {
  return absl::Seconds(request.case_time_limit().seconds()) + absl::Nanoseconds(request.case_time_limit().nanos());
}

// Text of a hostile process, fit for a report.
std::string Printable(absl::string_view text) {
  std::string clean(text.substr(0, kMaxClaimBytes));
  for (char& c : clean) {
    if (!absl::ascii_isprint(static_cast<unsigned char>(c))) c = '?';
  }
  return clean;
}

bool IsRuntimeSymbol(absl::string_view symbol) {
  return absl::StartsWith(symbol, "cu") || absl::StartsWith(symbol, "__cuda");
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
    // Believed only of a name that the object really has.
    const bool is_ours = IsRuntimeSymbol(symbol) && absl::StrContains(request.program().shared_object(), symbol);
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
  // Host code that checks for errors exits because of the device's fault: the fault is what to report.
  if (has_returned || outcome.status != reward::v1::CASE_STATUS_UNSPECIFIED) return outcome;
  outcome.status = host.status;
  outcome.detail = outcome.detail.empty() ? host.detail : absl::StrCat(host.detail, "; before that: ", outcome.detail);
  return outcome;
}

absl::Status LauncherSession::EndCase() {
  buffers_ = nullptr;
  return uses_host_memory() ? absl::OkStatus() : device_.session().DetachAll();
}

}  // namespace cudaperf::sandbox
