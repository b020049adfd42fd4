#ifndef CUDAPERF_ANALYZERS_TIME_MODEL_H_
#define CUDAPERF_ANALYZERS_TIME_MODEL_H_

#include <string>

#include "absl/status/statusor.h"
#include "analyzers/gpu_sheet.h"
#include "cudaperf/reward/v1/report.pb.h"

namespace cudaperf::analyzers {

// Modelled time of all that a program does on the GPU in one case.
struct CaseTime {
  double seconds = 0;
  // Resource that costs most time; see `CaseTiming.limiter`.
  std::string limiter;
};

// Sum over launches and transfers. INVALID_ARGUMENT when a launch cannot run on `gpu`.
absl::StatusOr<CaseTime> ModelCase(const reward::v1::CaseResult& result, const GpuSheet& gpu);

// Times every MODEL case that both programs passed; labelled TIMING_SOURCE_MODELED. A candidate that launches nothing
// in a case is never faster than the baseline there: host code has no counters. FAILED_PRECONDITION when no case can be
// timed.
absl::StatusOr<reward::v1::TimingReport> ModelTiming(const reward::v1::ExecutionReport& candidate,
                                                     const reward::v1::ExecutionReport& baseline, const GpuSheet& gpu);

}  // namespace cudaperf::analyzers

#endif  // CUDAPERF_ANALYZERS_TIME_MODEL_H_
