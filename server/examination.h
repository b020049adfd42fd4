#ifndef CUDAPERF_SERVER_EXAMINATION_H_
#define CUDAPERF_SERVER_EXAMINATION_H_

#include <string>

#include "absl/status/statusor.h"
#include "cudaperf/config/v1/server_config.pb.h"
#include "cudaperf/reward/v1/report.pb.h"
#include "cudaperf/worker/v1/judge.pb.h"
#include "sandbox/judge/judge.h"
#include "sandbox/worker/call_scope.h"
#include "server/candidate_build.h"

namespace cudaperf::server {

// What the judge is told about one compiled program; the cases come later.
struct Examinee {
  std::string task_id;
  const reward::v1::CudaTask* task = nullptr;             // Not owned; outlives the call.
  const std::string* reference_shared_object = nullptr;   // Not owned; outlives the call.
  const CandidateBuild* build = nullptr;                  // Not owned; outlives the call.
  const worker::v1::CompileResponse* compiled = nullptr;  // Not owned; outlives the call.
};

// One role's cases, run and judged.
struct Examination {
  reward::v1::ExecutionReport report;
  // The launch description did not fit; empty otherwise.
  std::string rejection;
};

enum class Checkers { kOff, kOn };

// Runs the task's cases of `role` in order. A wrong result does not end it, so that the passed fraction counts every
// case; a crash, a fault or a timeout does, and the cases behind it are reported as skipped.
absl::StatusOr<Examination> Examine(sandbox::Judge& judge, const Examinee& examinee, reward::v1::CaseRole role,
                                    Checkers checkers, const config::v1::Limits& limits,
                                    const sandbox::CallScope& scope);

}  // namespace cudaperf::server

#endif  // CUDAPERF_SERVER_EXAMINATION_H_
