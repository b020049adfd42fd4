#include "server/examination.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "ranker/case_tally.h"
#include "sandbox/task/excerpt.h"

namespace cudaperf::server {
namespace {

using reward::v1::CaseResult;

worker::v1::ExamineRequest RequestFor(const Examinee& examinee, Checkers checkers, const config::v1::Limits& limits) {
  worker::v1::ExamineRequest request;
  request.set_task_id(examinee.task_id);
  *request.mutable_task() = *examinee.task;
  request.set_reference_shared_object(*examinee.reference_shared_object);
  request.set_kind(examinee.build->kind);
  *request.mutable_program() = examinee.compiled->program();
  for (const reward::v1::Launch& launch : examinee.build->launches.launches) *request.add_launches() = launch;
  for (const reward::v1::Scratch& scratch : examinee.build->launches.scratch) *request.add_scratch() = scratch;
  *request.mutable_kernels() = examinee.compiled->kernels();
  request.set_checkers(checkers == Checkers::kOn);
  *request.mutable_case_time_limit() = limits.case_time();
  request.set_instruction_budget(limits.instruction_budget());
  request.set_device_memory_limit_bytes(limits.device_memory_bytes());
  return request;
}

// A case that says nothing more about the ones behind it than that they are worth running.
bool WalkGoesOn(const CaseResult& result) {
  return result.status() == reward::v1::CASE_STATUS_PASSED || result.status() == reward::v1::CASE_STATUS_WRONG_RESULT;
}

absl::Status CheckAnswer(const worker::v1::ExamineResponse& response, size_t asked_count) {
  if (response.status_code() != 0) {
    return absl::Status(static_cast<absl::StatusCode>(response.status_code()), response.status_message());
  }
  if (!response.rejection().empty()) return absl::OkStatus();
  if (response.cases().empty() || static_cast<size_t>(response.cases_size()) > asked_count ||
      response.cases(0).status() == reward::v1::CASE_STATUS_SKIPPED) {
    return absl::InternalError(
        absl::StrCat("the judge answered ", response.cases_size(), " cases of ", asked_count, " asked for"));
  }
  return absl::OkStatus();
}

// The device knows no register counts: they come from the compiler. Returns why the program cannot have come from there:
// host code can hand the device kernels of its own, whose cost nobody knows. Empty when it can.
std::string AddResources(const worker::v1::CompileResponse& compiled, CaseResult* result) {
  for (reward::v1::KernelExecution& execution : *result->mutable_executions()) {
    const auto kernel = std::find_if(compiled.kernels().begin(), compiled.kernels().end(), [&](const auto& candidate) {
      return candidate.name() == execution.kernel() || candidate.demangled_name() == execution.kernel();
    });
    if (kernel == compiled.kernels().end()) {
      return absl::StrCat("kernel ", sandbox::Excerpt(execution.kernel()), " was launched, which the source does not define");
    }
    if (execution.register_count() == 0) execution.set_register_count(kernel->register_count());
    if (execution.static_shared_bytes() == 0) execution.set_static_shared_bytes(kernel->static_shared_bytes());
  }
  return "";
}

std::vector<int> CasesOf(const reward::v1::CudaTask& task, reward::v1::CaseRole role) {
  std::vector<int> indices;
  for (int i = 0; i < task.cases_size(); ++i) {
    if (task.cases(i).role() == role) indices.push_back(i);
  }
  return indices;
}

void AddSkipped(const reward::v1::CudaTask& task, const std::vector<int>& indices, size_t from,
                reward::v1::ExecutionReport* report) {
  for (size_t i = from; i < indices.size(); ++i) {
    CaseResult* skipped = report->add_cases();
    skipped->set_case_name(task.cases(indices[i]).name());
    skipped->set_role(task.cases(indices[i]).role());
    skipped->set_status(reward::v1::CASE_STATUS_SKIPPED);
    skipped->set_detail("not run: an earlier case ended the walk");
  }
}

}  // namespace

absl::StatusOr<Examination> Examine(sandbox::Judge& judge, const Examinee& examinee, reward::v1::CaseRole role,
                                    Checkers checkers, const config::v1::Limits& limits,
                                    const sandbox::CallScope& scope) {
  const std::vector<int> indices = CasesOf(*examinee.task, role);
  const worker::v1::ExamineRequest base = RequestFor(examinee, checkers, limits);
  Examination examination;
  size_t next = 0;
  bool goes_on = true;
  while (goes_on && next < indices.size()) {
    worker::v1::ExamineRequest request = base;
    request.mutable_case_indices()->Add(indices.begin() + next, indices.end());
    absl::StatusOr<worker::v1::ExamineResponse> response = judge.Examine(std::move(request), scope);
    if (!response.ok()) return response.status();
    if (absl::Status status = CheckAnswer(*response, indices.size() - next); !status.ok()) return status;
    examination.rejection = response->rejection();
    if (!examination.rejection.empty()) return examination;
    for (CaseResult& result : *response->mutable_cases()) {
      if (result.status() == reward::v1::CASE_STATUS_SKIPPED) break;
      examination.rejection = AddResources(*examinee.compiled, &result);
      if (!examination.rejection.empty()) return examination;
      result.set_role(role);
      goes_on = WalkGoesOn(result);
      ++next;
      *examination.report.add_cases() = std::move(result);
      if (!goes_on) break;
    }
  }
  AddSkipped(*examinee.task, indices, next, &examination.report);
  ranker::CaseTally tally;
  tally.Add(examination.report);
  examination.report.set_passed_fraction(tally.passed_fraction());
  return examination;
}

}  // namespace cudaperf::server
