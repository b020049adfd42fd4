#include "server/gpu_measurement.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "proto/duration.h"
#include "ranker/case_tally.h"

namespace cudaperf::server {
namespace {

using reward::v1::CaseResult;

bool HasRole(const reward::v1::CudaTask& task, reward::v1::CaseRole role) {
  return std::any_of(task.cases().begin(), task.cases().end(),
                     [role](const auto& entry) { return entry.role() == role; });
}

void ChooseCases(const reward::v1::CudaTask& task, ScreenCases screen_cases, worker::v1::MeasureRequest* request) {
  const bool has_full = HasRole(task, reward::v1::CASE_ROLE_FULL);
  for (int i = 0; i < task.cases_size(); ++i) {
    const reward::v1::CaseRole role = task.cases(i).role();
    const bool is_timed = role == (has_full ? reward::v1::CASE_ROLE_FULL : reward::v1::CASE_ROLE_MODEL);
    if (role == reward::v1::CASE_ROLE_SCREEN) {
      if (screen_cases == ScreenCases::kIncluded) request->add_screened_case_indices(i);
    } else if (is_timed) {
      request->add_timed_case_indices(i);
    } else {
      request->add_verified_case_indices(i);
    }
  }
}

// One entry per case, in the order asked for; those behind the end are skipped.
reward::v1::ExecutionReport ReportOf(const worker::v1::MeasureRequest& request,
                                     const worker::v1::MeasureResponse& response) {
  std::vector<int> asked(request.screened_case_indices().begin(), request.screened_case_indices().end());
  asked.insert(asked.end(), request.verified_case_indices().begin(), request.verified_case_indices().end());
  asked.insert(asked.end(), request.timed_case_indices().begin(), request.timed_case_indices().end());
  reward::v1::ExecutionReport report;
  for (const int index : asked) {
    const reward::v1::Case& test_case = request.task().cases(index);
    CaseResult* result = report.add_cases();
    result->set_case_name(test_case.name());
    result->set_role(test_case.role());
    result->set_status(reward::v1::CASE_STATUS_SKIPPED);
    result->set_detail("not run: an earlier case ended the walk");
    for (const CaseResult& answered : response.cases()) {
      if (answered.case_name() == test_case.name()) *result = answered;
    }
  }
  return report;
}

}  // namespace

worker::v1::CompiledProgram ProgramOf(const Examinee& examinee) {
  worker::v1::CompiledProgram program;
  program.set_kind(examinee.build->kind);
  *program.mutable_program() = examinee.compiled->program();
  for (const reward::v1::Launch& launch : examinee.build->launches.launches) *program.add_launches() = launch;
  for (const reward::v1::Scratch& scratch : examinee.build->launches.scratch) *program.add_scratch() = scratch;
  *program.mutable_kernels() = examinee.compiled->kernels();
  return program;
}

absl::StatusOr<GpuMeasurement> Measure(sandbox::Measurer& measurer, const Examinee& examinee,
                                       const worker::v1::CompiledProgram& baseline, ScreenCases screen_cases,
                                       const config::v1::ServerConfig& config, const sandbox::CallScope& scope) {
  worker::v1::MeasureRequest request;
  request.set_task_id(examinee.task_id);
  *request.mutable_task() = *examinee.task;
  request.set_reference_shared_object(*examinee.reference_shared_object);
  *request.mutable_candidate() = ProgramOf(examinee);
  *request.mutable_baseline() = baseline;
  request.set_profile_level(config.profile_level());
  *request.mutable_case_time_limit() = config.limits().case_time();
  *request.mutable_timing_budget() = config.limits().timing_budget();
  request.set_device_memory_limit_bytes(config.limits().device_memory_bytes());
  ChooseCases(*examinee.task, screen_cases, &request);
  absl::StatusOr<worker::v1::MeasureResponse> response = measurer.Measure(request, scope);
  if (!response.ok()) return response.status();
  GpuMeasurement measurement;
  measurement.rejection = response->rejection();
  if (!measurement.rejection.empty()) return measurement;
  if (response->cases().empty()) return absl::InternalError("the GPU judge answered no case");
  measurement.verify = ReportOf(request, *response);
  ranker::CaseTally tally;
  tally.Add(measurement.verify);
  measurement.verify.set_passed_fraction(tally.passed_fraction());
  measurement.timing = std::move(*response->mutable_timing());
  measurement.profile = std::move(*response->mutable_profile());
  measurement.transfers = std::move(*response->mutable_transfers());
  measurement.verify_duration = proto::FromProto(response->verify_duration());
  measurement.time_duration = proto::FromProto(response->time_duration());
  measurement.profile_duration = proto::FromProto(response->profile_duration());
  return measurement;
}

}  // namespace cudaperf::server
