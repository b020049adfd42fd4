#ifndef CUDAPERF_ANALYZERS_SOURCE_POLICY_H_
#define CUDAPERF_ANALYZERS_SOURCE_POLICY_H_

#include <string_view>

#include "analyzers/analyzer.h"

namespace cudaperf::analyzers {

// Reads the candidate's source for what is forbidden (rejects) or doubtful (warns); fills in `source_findings`, those
// that reject first, at most 32 of each. The rules are in README.md. It is hygiene, not the wall: the jail holds what
// it misses.
class SourcePolicy : public Analyzer {
 public:
  std::string_view name() const override { return "source policy"; }
  absl::StatusOr<reward::v1::AnalysisReport> Analyze(const Subject& subject) const override;
};

}  // namespace cudaperf::analyzers

#endif  // CUDAPERF_ANALYZERS_SOURCE_POLICY_H_
