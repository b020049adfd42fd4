#ifndef CUDAPERF_SERVER_OUTCOME_H_
#define CUDAPERF_SERVER_OUTCOME_H_

#include <optional>
#include <string>

#include "cudaperf/reward/v1/evaluation.pb.h"
#include "cudaperf/reward/v1/report.pb.h"
#include "cudaperf/worker/v1/compile.pb.h"

namespace cudaperf::server {

// What ended a walk, and one sentence why.
struct Verdict {
  reward::v1::Outcome outcome = reward::v1::OUTCOME_UNSPECIFIED;
  std::string detail;
};

// The compiler's word; nothing when it succeeded.
std::optional<Verdict> VerdictOfCompile(const worker::v1::CompileResponse& response);

// The first rule the source breaks; nothing when it breaks none.
std::optional<Verdict> VerdictOfAnalysis(const reward::v1::AnalysisReport& report);

// The first case that crashed, faulted or hung, else the first wrong one; nothing when none failed. Cases that could not be
// screened are no failures.
std::optional<Verdict> VerdictOfCases(const reward::v1::ExecutionReport& report);

// The first case that the device could not run: what it lacks. Nothing when all were run.
std::optional<std::string> UnsupportedFeature(const reward::v1::ExecutionReport& report);

}  // namespace cudaperf::server

#endif  // CUDAPERF_SERVER_OUTCOME_H_
