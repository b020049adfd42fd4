#include "sandbox/measure/measurement.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "proto/duration.h"

namespace cudaperf::sandbox {
namespace {

using worker::v1::MeasureResponse;

constexpr absl::Duration kCanaryLimit = absl::Seconds(5);

int FirstCase(const worker::v1::MeasureRequest& request) {
  if (!request.screened_case_indices().empty()) return request.screened_case_indices(0);
  return request.verified_case_indices().empty() ? request.timed_case_indices(0) : request.verified_case_indices(0);
}

void AddOnce(std::string text, google::protobuf::RepeatedPtrField<std::string>* texts) {
  if (std::find(texts->begin(), texts->end(), text) == texts->end()) *texts->Add() = std::move(text);
}

// Ended by the device or by us: what it left behind has to be looked at.
bool IsAbnormal(reward::v1::CaseStatus status) {
  return status == reward::v1::CASE_STATUS_MEMORY_FAULT || status == reward::v1::CASE_STATUS_CRASHED ||
         status == reward::v1::CASE_STATUS_TIMED_OUT;
}

}  // namespace

absl::StatusOr<MeasureResponse> Measurement::Run() {
  if (absl::Status status = CheckRequest(); !status.ok()) return status;
  absl::StatusOr<MeasureResponse> response = Try();
  if (!absl::IsAborted(response.status())) return response;
  // A runner without host code of the candidate died: nobody's fault but ours, if the GPU is still there.
  tools_.baselines->StopAll();
  if (absl::Status status = tools_.gpu->Canary(kCanaryLimit); !status.ok()) return status;
  response = Try();
  if (!absl::IsAborted(response.status())) return response;
  tools_.baselines->StopAll();
  return absl::InternalError(absl::StrCat(response.status().message(), ", twice"));
}

absl::Status Measurement::CheckRequest() const {
  const auto check = [&](const auto& indices) {
    for (const int index : indices) {
      if (index < 0 || index >= request_.task().cases_size())
        return absl::InvalidArgumentError(absl::StrCat("there is no case ", index));
    }
    return absl::OkStatus();
  };
  if (absl::Status status = check(request_.screened_case_indices()); !status.ok()) return status;
  if (absl::Status status = check(request_.verified_case_indices()); !status.ok()) return status;
  if (absl::Status status = check(request_.timed_case_indices()); !status.ok()) return status;
  if (proto::FromProto(request_.case_time_limit()) <= absl::ZeroDuration()) {
    return absl::InvalidArgumentError("case_time_limit must be above zero");
  }
  if (request_.device_memory_limit_bytes() <= 0)
    return absl::InvalidArgumentError("device_memory_limit_bytes must be above zero");
  return absl::OkStatus();
}

MeasuredProgram::Options Measurement::ProgramOptions() const {
  return {.task = &request_.task(),
          .program = &request_.candidate(),
          .pool = tools_.pool,
          .gpu = tools_.gpu,
          .interruption = tools_.interruption,
          .call_limit = proto::FromProto(request_.case_time_limit()),
          .device_memory_limit_bytes = request_.device_memory_limit_bytes()};
}

absl::StatusOr<MeasureResponse> Measurement::Try() {
  MeasureResponse response;
  MeasuredProgram candidate(ProgramOptions());
  const absl::Time started_at = absl::Now();
  // Whatever the end: its runner takes some time to go.
  const auto retire = absl::MakeCleanup([&] { tools_.retirement->Add(candidate.Stop()); });
  if (absl::Status status = StartCandidate(candidate, response); !status.ok()) return status;
  const auto goes_on = [&] {
    return response.rejection().empty() &&
           (response.cases().empty() || response.cases().rbegin()->status() == reward::v1::CASE_STATUS_PASSED);
  };
  if (goes_on()) {
    if (absl::Status status = Screen(candidate, response); !status.ok()) return status;
  }
  if (goes_on()) {
    if (absl::Status status = Verify(candidate, response); !status.ok()) return status;
  }
  *response.mutable_verify_duration() = proto::ToProto(absl::Now() - started_at);
  if (goes_on()) {
    if (absl::Status status = Time(candidate, response); !status.ok()) return status;
  }
  if (!response.rejection().empty()) response.clear_cases();
  return response;
}

absl::Status Measurement::StartCandidate(MeasuredProgram& candidate, MeasureResponse& response) {
  const absl::StatusOr<MeasuredCall> started = candidate.Start();
  if (!started.ok()) return started.status();
  response.set_rejection(started->rejection);
  if (started->status == reward::v1::CASE_STATUS_UNSPECIFIED) return absl::OkStatus();
  // Constructors of a launcher run as it is loaded: the first case gets what they did.
  MeasuredCase loading;
  const int first = FirstCase(request_);
  loading.result = ResultOf(request_.task().cases(first));
  loading.result.set_status(started->status);
  loading.result.set_detail(absl::StrCat(started->detail, " while it was loaded"));
  return Add(std::move(loading), response).status();
}

absl::StatusOr<bool> Measurement::Add(MeasuredCase measured, MeasureResponse& response) {
  response.set_rejection(measured.rejection);
  if (!measured.rejection.empty()) return false;
  const reward::v1::CaseStatus status = measured.result.status();
  *response.add_cases() = std::move(measured.result);
  if (IsAbnormal(status)) {
    if (absl::Status canary = tools_.gpu->Canary(kCanaryLimit); !canary.ok()) return canary;
  }
  return status == reward::v1::CASE_STATUS_PASSED;
}

absl::Status Measurement::Screen(MeasuredProgram& candidate, MeasureResponse& response) {
  for (const int index : request_.screened_case_indices()) {
    absl::StatusOr<MeasuredCase> screened = VerifyCase(tools_.gpu, request_.task(), index, tools_.source, &candidate);
    if (!screened.ok()) return screened.status();
    const absl::StatusOr<bool> goes_on = Add(*std::move(screened), response);
    if (!goes_on.ok()) return goes_on.status();
    if (!*goes_on) break;
  }
  return absl::OkStatus();
}

CaseTiming::Options Measurement::TimingOptions(MeasuredProgram& candidate, StoredBaseline& baseline,
                                               int case_index) const {
  return {.gpu = tools_.gpu,
          .task = &request_.task(),
          .case_index = case_index,
          .candidate = &candidate,
          .baseline = &baseline,
          .reference = tools_.reference};
}

absl::StatusOr<bool> Measurement::RunCase(CaseTiming& timing, StoredBaseline& baseline, MeasureResponse& response) {
  absl::StatusOr<MeasuredCase> measured = timing.Run();
  // An interrupted or failed case may have left its memory mapped, or a call running.
  if (!measured.ok()) tools_.retirement->Add(baseline.program->Stop());
  if (!measured.ok()) return measured.status();
  return Add(*std::move(measured), response);
}

absl::Status Measurement::Verify(MeasuredProgram& candidate, MeasureResponse& response) {
  StoredBaseline& baseline = tools_.baselines->Find(request_, ProgramOptions());
  for (const int index : request_.verified_case_indices()) {
    CaseTiming timing(TimingOptions(candidate, baseline, index));
    const absl::StatusOr<bool> goes_on = RunCase(timing, baseline, response);
    if (!goes_on.ok()) return goes_on.status();
    if (!*goes_on) break;
  }
  return absl::OkStatus();
}

absl::Status Measurement::Time(MeasuredProgram& candidate, MeasureResponse& response) {
  const absl::Time started_at = absl::Now();
  // The end of an earlier runner is work for the driver: not while the clock runs.
  tools_.retirement->AwaitAll();
  StoredBaseline& baseline = tools_.baselines->Find(request_, ProgramOptions());
  reward::v1::TimingReport timing;
  double log_speedup = 0;
  double variation = 0;
  absl::Duration profiled;
  for (int i = 0; i < request_.timed_case_indices_size(); ++i) {
    const bool is_last = i + 1 == request_.timed_case_indices_size();
    CaseTiming::Options options = TimingOptions(candidate, baseline, request_.timed_case_indices(i));
    options.budget = proto::FromProto(request_.timing_budget());
    if (is_last) options.profile_level = request_.profile_level();
    CaseTiming case_timing(options);
    const absl::StatusOr<bool> goes_on = RunCase(case_timing, baseline, response);
    if (!goes_on.ok()) return goes_on.status();
    if (!*goes_on) return absl::OkStatus();
    *timing.add_cases() = case_timing.timing();
    for (std::string& disturbance : tools_.gpu->Disturbances())
      AddOnce(std::move(disturbance), timing.mutable_disturbances());
    log_speedup += std::log(case_timing.timing().speedup());
    variation += case_timing.timing().candidate().coefficient_of_variation();
    if (case_timing.profile().has_value()) *response.mutable_profile() = *case_timing.profile();
    *response.mutable_transfers() = case_timing.transfers();
    profiled += case_timing.profile_duration();
  }
  *response.mutable_time_duration() = proto::ToProto(absl::Now() - started_at - profiled);
  *response.mutable_profile_duration() = proto::ToProto(profiled);
  if (timing.cases().empty()) return absl::OkStatus();
  timing.set_source(reward::v1::TIMING_SOURCE_MEASURED);
  timing.set_speedup(std::exp(log_speedup / timing.cases_size()));
  timing.set_coefficient_of_variation(variation / timing.cases_size());
  timing.set_gpu(tools_.gpu->identity().name());
  *response.mutable_timing() = std::move(timing);
  return absl::OkStatus();
}

}  // namespace cudaperf::sandbox
