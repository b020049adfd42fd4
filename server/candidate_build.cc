#include "server/candidate_build.h"

#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "proto/duration.h"
#include "sandbox/task/launch_binding.h"
#include "sandbox/task/prototype.h"

namespace cudaperf::server {
namespace {

// What must be there before a compiler is asked.
std::string RejectionOf(const reward::v1::CudaTask& task, const CandidateBuild& build) {
  if (build.kind == reward::v1::CANDIDATE_KIND_LAUNCHER) return "";
  if (task.memory_space() == reward::v1::MEMORY_SPACE_HOST) {
    return absl::StrCat("this task passes host pointers, so it needs a launcher: ", sandbox::LauncherPrototype(task));
  }
  if (!build.launches.launches.empty()) return "";
  return absl::StrCat(
      "nothing says what to launch: add a comment like `// cudaperf: launch KERNEL<<<GRID, BLOCK>>>(ARGUMENTS)`, ",
      "or define the launcher ", sandbox::LauncherPrototype(task));
}

}  // namespace

CandidateBuild PlanBuild(const reward::v1::CudaTask& task, const reward::v1::Candidate& candidate,
                         const BuildOptions& options) {
  CandidateBuild build;
  build.kind = candidate.kind();
  if (build.kind == reward::v1::CANDIDATE_KIND_UNSPECIFIED) {
    build.kind = candidate.launches().empty() ? sandbox::DetectKind(candidate.source(), task.entry_point())
                                              : reward::v1::CANDIDATE_KIND_DEVICE_ONLY;
  }
  const bool is_launcher = build.kind == reward::v1::CANDIDATE_KIND_LAUNCHER;
  const auto language =
      is_launcher ? worker::v1::SOURCE_LANGUAGE_CUDA_LAUNCHER : worker::v1::SOURCE_LANGUAGE_CUDA_DEVICE;
  build.request.set_language(language);
  build.request.set_source(candidate.source());
  build.request.set_architecture(options.architecture);
  build.request.set_fast_math(task.fast_math());
  *build.request.mutable_time_limit() = proto::ToProto(options.time_limit);
  if (is_launcher) {
    build.request.set_invoke_source(sandbox::InvokeSource(task, language));
    build.request.set_entry_point(task.entry_point());
  } else {
    absl::StatusOr<sandbox::LaunchDescription> launches = sandbox::DescribeLaunches(candidate);
    if (!launches.ok()) {
      build.rejection = std::string(launches.status().message());
      return build;
    }
    build.launches = *std::move(launches);
  }
  build.rejection = RejectionOf(task, build);
  return build;
}

worker::v1::CompileRequest ReferenceBuild(const reward::v1::CudaTask& task, const BuildOptions& options) {
  worker::v1::CompileRequest request;
  request.set_language(worker::v1::SOURCE_LANGUAGE_C);
  request.set_source(task.reference_source());
  request.set_invoke_source(sandbox::InvokeSource(task, worker::v1::SOURCE_LANGUAGE_C));
  request.set_entry_point(task.entry_point());
  *request.mutable_time_limit() = proto::ToProto(options.time_limit);
  return request;
}

std::string LaunchMisfit(const reward::v1::CudaTask& task, const CandidateBuild& build,
                         const worker::v1::CompileResponse& response) {
  if (build.kind != reward::v1::CANDIDATE_KIND_DEVICE_ONLY) return "";
  const std::vector<reward::v1::KernelResources> kernels(response.kernels().begin(), response.kernels().end());
  return std::string(sandbox::CheckLaunches(task, build.launches, kernels).message());
}

reward::v1::CompileReport ReportOf(const CandidateBuild& build, const worker::v1::CompileResponse& response) {
  reward::v1::CompileReport report;
  report.set_kind(build.kind);
  report.set_succeeded(response.status() == worker::v1::COMPILE_STATUS_SUCCEEDED);
  *report.mutable_diagnostics() = response.diagnostics();
  report.set_log(response.log());
  *report.mutable_kernels() = response.kernels();
  *report.mutable_flags() = response.flags();
  report.set_cache_hit(response.cache_hit());
  return report;
}

}  // namespace cudaperf::server
