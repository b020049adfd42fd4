#ifndef CUDAPERF_ANALYZERS_ANALYZER_H_
#define CUDAPERF_ANALYZERS_ANALYZER_H_

#include <string_view>

#include "absl/status/statusor.h"
#include "cudaperf/reward/v1/report.pb.h"
#include "cudaperf/reward/v1/task.pb.h"

namespace cudaperf::analyzers {

// What an analyzer looks at. Not owned; outlives the call.
struct Subject {
  const reward::v1::CudaTask& task;
  const reward::v1::Candidate& candidate;
  const reward::v1::CompileReport& compile;
  std::string_view ptx;
};

// Finds facts in a compiled candidate. Pure: no I/O, no clock, no state; thread-safe.
class Analyzer {
 public:
  virtual ~Analyzer() = default;
  virtual std::string_view name() const = 0;
  // The fields it knows; the road merges them. An error is a fault of ours, never the candidate's.
  virtual absl::StatusOr<reward::v1::AnalysisReport> Analyze(const Subject& subject) const = 0;
};

}  // namespace cudaperf::analyzers

#endif  // CUDAPERF_ANALYZERS_ANALYZER_H_
