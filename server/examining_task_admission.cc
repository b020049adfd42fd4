#include "server/examining_task_admission.h"

#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "analyzers/time_model.h"
#include "sandbox/task/prototype.h"
#include "sandbox/task/task_digest.h"
#include "sandbox/task/task_validation.h"
#include "server/examination.h"
#include "server/gpu_measurement.h"
#include "server/outcome.h"

namespace cudaperf::server {
namespace {

using reward::v1::CaseRole;

absl::Status Refused(absl::string_view part, absl::string_view reason) {
  return absl::FailedPreconditionError(absl::StrCat("task refused: ", part, ": ", reason));
}

// The baseline's examination of one role; refused unless every case passed.
absl::StatusOr<reward::v1::ExecutionReport> RequirePassed(absl::StatusOr<Examination> examination) {
  if (!examination.ok()) return examination.status();
  if (!examination->rejection.empty()) return Refused("baseline", examination->rejection);
  if (const auto verdict = VerdictOfCases(examination->report)) return Refused("baseline", verdict->detail);
  if (const auto feature = UnsupportedFeature(examination->report)) return Refused("baseline", *feature);
  return std::move(examination->report);
}

}  // namespace

ExaminingTaskAdmission::ExaminingTaskAdmission(Options options) : options_(std::move(options)) {}

absl::StatusOr<RegisteredTask> ExaminingTaskAdmission::Admit(const reward::v1::Task& task,
                                                             const sandbox::CallScope& scope) {
  if (absl::Status status = sandbox::ValidateTask(task, options_.config.limits().device_memory_bytes()); !status.ok())
    return status;
  RegisteredTask registered;
  registered.task = task;
  registered.task_id = sandbox::TaskDigest(task);
  registered.launcher_prototype = sandbox::LauncherPrototype(task.cuda());
  if (absl::Status status = CompileReference(scope, &registered); !status.ok()) return status;
  if (absl::Status status = JudgeTask(scope, registered); !status.ok()) return status;
  if (absl::Status status = ExamineBaseline(scope, &registered); !status.ok()) return status;
  return registered;
}

absl::Status ExaminingTaskAdmission::CompileReference(const sandbox::CallScope& scope,
                                                      RegisteredTask* registered) const {
  absl::StatusOr<worker::v1::CompileResponse> compiled =
      options_.compiler->Compile(ReferenceBuild(registered->task.cuda(), options_.build), scope);
  if (!compiled.ok()) return compiled.status();
  if (const auto verdict = VerdictOfCompile(*compiled)) return Refused("reference_source", verdict->detail);
  registered->reference_shared_object = std::move(*compiled->mutable_program()->mutable_shared_object());
  return absl::OkStatus();
}

absl::Status ExaminingTaskAdmission::JudgeTask(const sandbox::CallScope& scope,
                                               const RegisteredTask& registered) const {
  worker::v1::AdmitRequest request;
  request.set_task_id(registered.task_id);
  *request.mutable_task() = registered.task.cuda();
  request.set_reference_shared_object(registered.reference_shared_object);
  *request.mutable_case_time_limit() = options_.config.limits().case_time();
  absl::StatusOr<worker::v1::AdmitResponse> response = options_.judge->Admit(std::move(request), scope);
  if (!response.ok()) return response.status();
  if (response->status_code() != 0) {
    return absl::Status(static_cast<absl::StatusCode>(response->status_code()), response->status_message());
  }
  return response->refusal().empty() ? absl::OkStatus() : Refused("admission test", response->refusal());
}

absl::Status ExaminingTaskAdmission::ExamineBaseline(const sandbox::CallScope& scope,
                                                     RegisteredTask* registered) const {
  const reward::v1::CudaTask& task = registered->task.cuda();
  const CandidateBuild build = PlanBuild(task, task.baseline(), options_.build);
  if (!build.rejection.empty()) return Refused("baseline", build.rejection);
  absl::StatusOr<worker::v1::CompileResponse> compiled = options_.compiler->Compile(build.request, scope);
  if (!compiled.ok()) return compiled.status();
  if (const auto verdict = VerdictOfCompile(*compiled)) return Refused("baseline", verdict->detail);
  if (const std::string misfit = LaunchMisfit(task, build, *compiled); !misfit.empty())
    return Refused("baseline", misfit);
  const Examinee examinee = {registered->task_id, &task, &registered->reference_shared_object, &build, &*compiled};
  const auto examine = [&](CaseRole role, Checkers checkers) {
    return RequirePassed(Examine(*options_.judge, examinee, role, checkers, options_.config.limits(), scope));
  };
  auto screen = examine(reward::v1::CASE_ROLE_SCREEN, Checkers::kOn);
  if (!screen.ok()) return screen.status();
  auto verify = examine(reward::v1::CASE_ROLE_MODEL, Checkers::kOff);
  if (!verify.ok()) return verify.status();
  const absl::Status timed = analyzers::ModelTiming(*verify, *verify, options_.gpu).status();
  if (!timed.ok()) return Refused("baseline", timed.message());
  registered->baseline_screen = *std::move(screen);
  registered->baseline_verify = *std::move(verify);
  registered->baseline = ProgramOf(examinee);
  return options_.measurer == nullptr ? absl::OkStatus() : MeasureBaseline(scope, examinee, *registered);
}

absl::Status ExaminingTaskAdmission::MeasureBaseline(const sandbox::CallScope& scope, const Examinee& examinee,
                                                     const RegisteredTask& registered) const {
  const absl::StatusOr<GpuMeasurement> measured =
      Measure(*options_.measurer, examinee, registered.baseline, ScreenCases::kIncluded, options_.config, scope);
  if (!measured.ok()) return measured.status();
  if (!measured->rejection.empty()) return Refused("baseline", measured->rejection);
  if (const auto verdict = VerdictOfCases(measured->verify)) return Refused("baseline", verdict->detail);
  return absl::OkStatus();
}

}  // namespace cudaperf::server
