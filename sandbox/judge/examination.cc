#include "sandbox/judge/examination.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/duration.h"
#include "sandbox/judge/call_buffers.h"
#include "sandbox/judge/comparison.h"
#include "sandbox/judge/device_only_session.h"
#include "sandbox/judge/launcher_session.h"

namespace cudaperf::sandbox {
namespace {

using reward::v1::CaseResult;
using reward::v1::Finding;
using worker::v1::ExamineResponse;

constexpr int kCallsPerCase = 2;
// Whatever kills a running device may have killed the spare one with it.
constexpr int kMostReplacements = 2;
constexpr int kMaxFindings = 64;
// Where inputs are on the device, a call may bring this much to the host: flags, or partial results of a quarter.
constexpr int64_t kFreeCopyBytes = 4096;
constexpr int64_t kMostCopiedShare = 4;

bool IsSameFinding(const Finding& a, const Finding& b) {
  return a.kind() == b.kind() && a.kernel() == b.kernel() && a.line() == b.line();
}

// Those of the second call that the first did not have already.
void MergeFindings(const worker::v1::CollectResponse& collected, CaseResult& result) {
  for (const Finding& finding : collected.findings()) {
    const bool is_known = std::any_of(result.findings().begin(), result.findings().end(),
                                      [&](const Finding& known) { return IsSameFinding(known, finding); });
    if (!is_known && result.findings_size() < kMaxFindings) *result.add_findings() = finding;
  }
}

// The device process itself met a limit: the candidate's doing.
std::optional<CaseResult> ExplainedDeath(const ProcessEnd& end) {
  CaseResult result;
  if (end.cause == ProcessEnd::Cause::kMemory) {
    result.set_status(reward::v1::CASE_STATUS_MEMORY_FAULT);
    result.set_detail("the emulated device ran out of host memory");
    Finding* finding = result.add_findings();
    finding->set_kind(reward::v1::FINDING_KIND_OUT_OF_MEMORY);
    finding->set_message(result.detail());
    finding->set_count(1);
    finding->set_fatal(true);
    return result;
  }
  if (end.cause != ProcessEnd::Cause::kWallTime) return std::nullopt;
  result.set_status(reward::v1::CASE_STATUS_TIMED_OUT);
  result.set_detail("the emulated device ran past its time limit");
  return result;
}

}  // namespace

Examination::Examination(const worker::v1::ExamineRequest& request, CaseSource* source, DevicePool* pool,
                         Interruption* interruption)
    : request_(request), source_(source), pool_(pool), interruption_(interruption) {}

absl::StatusOr<ExamineResponse> Examination::Run() {
  if (absl::Status status = CheckRequest(); !status.ok()) return status;
  ExamineResponse response;
  BindPlans();
  bool has_failed = false;
  for (int case_index : request_.case_indices()) {
    if (!rejection_.empty()) break;
    const reward::v1::Case& test_case = request_.task().cases(case_index);
    CaseResult result;
    if (has_failed && !request_.run_all()) {
      result.set_status(reward::v1::CASE_STATUS_SKIPPED);
    } else {
      absl::StatusOr<CaseResult> run = RunCase(case_index);
      if (!run.ok()) return run.status();
      result = *std::move(run);
    }
    result.set_case_name(test_case.name());
    result.set_role(test_case.role());
    has_failed |= result.status() != reward::v1::CASE_STATUS_PASSED;
    *response.add_cases() = std::move(result);
  }
  if (!rejection_.empty()) response.clear_cases();
  response.set_rejection(rejection_);
  return response;
}

absl::Status Examination::CheckRequest() const {
  for (int index : request_.case_indices()) {
    if (index < 0 || index >= request_.task().cases_size()) {
      return absl::InvalidArgumentError(absl::StrCat("there is no case ", index));
    }
  }
  const auto& limit = request_.case_time_limit();
  if (limit.seconds() <= 0 && limit.nanos() <= 0)
    return absl::InvalidArgumentError("case_time_limit must be above zero");
  if (request_.instruction_budget() <= 0) return absl::InvalidArgumentError("instruction_budget must be above zero");
  if (request_.device_memory_limit_bytes() <= 0) {
    return absl::InvalidArgumentError("device_memory_limit_bytes must be above zero");
  }
  if (request_.kind() != reward::v1::CANDIDATE_KIND_DEVICE_ONLY &&
      request_.kind() != reward::v1::CANDIDATE_KIND_LAUNCHER) {
    return absl::InvalidArgumentError("kind must be DEVICE_ONLY or LAUNCHER");
  }
  return absl::OkStatus();
}

void Examination::BindPlans() {
  if (request_.kind() != reward::v1::CANDIDATE_KIND_DEVICE_ONLY) return;
  LaunchDescription description;
  description.launches.assign(request_.launches().begin(), request_.launches().end());
  description.scratch.assign(request_.scratch().begin(), request_.scratch().end());
  const std::vector<reward::v1::KernelResources> kernels(request_.kernels().begin(), request_.kernels().end());
  plans_.resize(request_.task().cases_size());
  for (int index : request_.case_indices()) {
    absl::StatusOr<LaunchPlan> plan = BindLaunches(request_.task(), request_.task().cases(index), description, kernels);
    if (!plan.ok()) {
      rejection_ = std::string(plan.status().message());
      return;
    }
    plans_[index] = *std::move(plan);
  }
}

absl::Status Examination::StartSession() {
  absl::StatusOr<std::unique_ptr<DeviceSession>> session = pool_->Take();
  if (!session.ok()) return session.status();
  absl::StatusOr<ExaminedDevice> device =
      ExaminedDevice::Prepare(*std::move(session), pool_->settings(), request_, interruption_);
  if (!device.ok()) return device.status();
  absl::StatusOr<std::unique_ptr<ProgramSession>> program =
      request_.kind() == reward::v1::CANDIDATE_KIND_DEVICE_ONLY
          ? DeviceOnlySession::Start(*std::move(device), request_, plans_)
          : LauncherSession::Start(*std::move(device), pool_->settings(), request_, interruption_);
  if (!program.ok()) return program.status();
  session_ = *std::move(program);
  return absl::OkStatus();
}

absl::StatusOr<CaseResult> Examination::RunCase(int case_index) {
  absl::StatusOr<CaseResult> result = TryCase(case_index);
  for (int retry = 0; retry < kMostReplacements && absl::IsAborted(result.status()); ++retry) {
    const ProcessEnd end = session_ == nullptr ? ProcessEnd{} : session_->EndDevice();
    session_ = nullptr;
    if (std::optional<CaseResult> explained = ExplainedDeath(end); explained.has_value()) return *explained;
    result = TryCase(case_index);
  }
  if (!result.ok()) {
    std::string end;
    if (absl::IsAborted(result.status()) && session_ != nullptr)
      end = absl::StrCat(": it ", DescribeEnd(session_->EndDevice()));
    session_ = nullptr;
    if (absl::IsAborted(result.status())) {
      return absl::InternalError(absl::StrCat(result.status().message(), " again and again", end));
    }
    return result.status();
  }
  // Only a session whose call ran to its end can take another case.
  const bool is_spent =
      result->status() != reward::v1::CASE_STATUS_PASSED && result->status() != reward::v1::CASE_STATUS_WRONG_RESULT;
  if (is_spent) session_ = nullptr;
  return result;
}

absl::StatusOr<CaseResult> Examination::TryCase(int case_index) {
  absl::StatusOr<FirstCall> first = source_->DrawFirst(case_index);
  if (!first.ok()) return first.status();
  CallBuffers* const buffers = &first->buffers;
  absl::StatusOr<std::shared_ptr<const CaseDraw>> draw = first->draw;
  if (session_ == nullptr) {
    if (absl::Status status = StartSession(); !status.ok()) return status;
  }
  if (absl::Status status = session_->BeginCase(case_index, (*draw)->layout, *buffers); !status.ok()) return status;

  CaseResult result;
  absl::Duration total_duration;
  for (int call = 0; call < kCallsPerCase; ++call) {
    if (call > 0) {
      draw = source_->Draw(case_index, call);
      if (!draw.ok()) return draw.status();
      buffers->Prepare(**draw, kPoison[call]);
    }
    absl::StatusOr<CallOutcome> outcome = session_->Call(**draw, call);
    if (!outcome.ok()) return outcome.status();
    if (!outcome->rejection.empty()) {
      rejection_ = outcome->rejection;
      return result;
    }
    Judge(*outcome, *buffers, **draw, call, result);
    MergeFindings(outcome->collected, result);
    total_duration += outcome->duration;
    *result.mutable_total_duration() = proto::ToProto(total_duration);
    if (call == 0) {
      *result.mutable_duration() = proto::ToProto(outcome->duration);
      result.mutable_executions()->Swap(outcome->collected.mutable_executions());
      if (const absl::Duration work = session_->HostWork(outcome->collected); work > absl::ZeroDuration()) {
        *result.mutable_host_duration() = proto::ToProto(work);
      }
      result.mutable_transfers()->Swap(outcome->collected.mutable_transfers());
    }
    if (result.status() != reward::v1::CASE_STATUS_PASSED) break;
  }
  const bool has_ended =
      result.status() == reward::v1::CASE_STATUS_PASSED || result.status() == reward::v1::CASE_STATUS_WRONG_RESULT;
  if (has_ended) {
    if (absl::Status status = session_->EndCase(); !status.ok()) return status;
    calls_.push_back(*std::move(first));
  }
  return result;
}

void Examination::Judge(const CallOutcome& outcome, const CallBuffers& buffers, const CaseDraw& draw, int call,
                        CaseResult& result) {
  if (outcome.status != reward::v1::CASE_STATUS_UNSPECIFIED) {
    result.set_status(outcome.status);
    result.set_detail(outcome.detail);
    return;
  }
  const std::vector<reward::v1::Mismatch> mismatches = buffers.CompareOutputs(request_.task(), draw, kPoison[call]);
  const std::string changed = buffers.ChangedInput(request_.task(), draw);
  if (mismatches.empty() && changed.empty()) {
    if (call == 0) rejection_ = FindShortcut(outcome, draw);
    result.set_status(reward::v1::CASE_STATUS_PASSED);
    return;
  }
  result.set_status(reward::v1::CASE_STATUS_WRONG_RESULT);
  std::string detail =
      mismatches.empty() ? absl::StrCat("the input ", changed, " was changed") : DescribeMismatch(mismatches.front());
  if (call > 0) absl::StrAppend(&detail, "; only with warps in another order and fresh inputs: is a barrier missing?");
  if (!outcome.detail.empty()) absl::StrAppend(&detail, "; before that: ", outcome.detail);
  result.set_detail(std::move(detail));
  result.mutable_mismatches()->Add(mismatches.begin(), mismatches.end());
}

std::string Examination::FindShortcut(const CallOutcome& outcome, const CaseDraw& draw) const {
  int64_t input_bytes = 0;
  int64_t output_bytes = 0;
  for (const ParameterLayout& entry : draw.layout) {
    if (!entry.is_buffer) continue;
    if (entry.is_input()) input_bytes += entry.size_bytes;
    if (entry.is_output()) output_bytes += entry.size_bytes;
  }
  if (output_bytes == 0) return "";
  const std::string& entry_point = request_.task().entry_point();
  if (outcome.collected.executions().empty()) {
    return absl::StrCat(entry_point, " launched no kernel: the work must be done on the device");
  }
  const reward::v1::Transfers& transfers = outcome.collected.transfers();
  if (request_.task().memory_space() != reward::v1::MEMORY_SPACE_HOST) {
    // Partial results may be finished on the host; who looks at the inputs there computes there.
    if (transfers.device_to_host_bytes() <= std::max(kFreeCopyBytes, input_bytes / kMostCopiedShare)) return "";
    return absl::StrCat(entry_point, " brought ", transfers.device_to_host_bytes(),
                        " bytes from the device to the host, its inputs have ", input_bytes,
                        ": the work must be done on the device");
  }
  if (transfers.host_to_device_bytes() < input_bytes) {
    return absl::StrCat(entry_point, " brought ", transfers.host_to_device_bytes(),
                        " bytes to the device, its inputs have ", input_bytes, ": the work must be done on the device");
  }
  if (transfers.device_to_host_bytes() >= output_bytes) return "";
  return absl::StrCat(entry_point, " brought ", transfers.device_to_host_bytes(),
                      " bytes back from the device, its outputs have ", output_bytes,
                      ": the work must be done on the device");
}

}  // namespace cudaperf::sandbox
