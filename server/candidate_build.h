#ifndef CUDAPERF_SERVER_CANDIDATE_BUILD_H_
#define CUDAPERF_SERVER_CANDIDATE_BUILD_H_

#include <string>

#include "absl/time/time.h"
#include "cudaperf/reward/v1/report.pb.h"
#include "cudaperf/reward/v1/task.pb.h"
#include "cudaperf/worker/v1/compile.pb.h"
#include "sandbox/task/launch_directive.h"

namespace cudaperf::server {

// What the server decides about every compilation.
struct BuildOptions {
  // e.g. `sm_90`.
  std::string architecture;
  absl::Duration time_limit;
};

// How one candidate is compiled and called.
struct CandidateBuild {
  reward::v1::CandidateKind kind = reward::v1::CANDIDATE_KIND_UNSPECIFIED;
  // Device-only: what to launch.
  sandbox::LaunchDescription launches;
  worker::v1::CompileRequest request;
  // Why the candidate can not be called at all; empty when it can. About the candidate.
  std::string rejection;
};

CandidateBuild PlanBuild(const reward::v1::CudaTask& task, const reward::v1::Candidate& candidate,
                         const BuildOptions& options);

worker::v1::CompileRequest ReferenceBuild(const reward::v1::CudaTask& task, const BuildOptions& options);

// Why the launches do not fit what was compiled, in one sentence about the candidate; empty when they do, or when there
// are none to check.
std::string LaunchMisfit(const reward::v1::CudaTask& task, const CandidateBuild& build,
                         const worker::v1::CompileResponse& response);

// The public part of what the compiler said.
reward::v1::CompileReport ReportOf(const CandidateBuild& build, const worker::v1::CompileResponse& response);

}  // namespace cudaperf::server

#endif  // CUDAPERF_SERVER_CANDIDATE_BUILD_H_
