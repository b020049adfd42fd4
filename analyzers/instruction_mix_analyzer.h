#ifndef CUDAPERF_ANALYZERS_INSTRUCTION_MIX_ANALYZER_H_
#define CUDAPERF_ANALYZERS_INSTRUCTION_MIX_ANALYZER_H_

#include <string_view>
#include <vector>

#include "analyzers/analyzer.h"

namespace cudaperf::analyzers {

// Counts the static instructions of every kernel in `ptx`, in order, at most 256 kernels. Takes any bytes, in linear
// time. Code in functions that were not inlined is not counted.
std::vector<reward::v1::InstructionMix> CountInstructions(std::string_view ptx);

// Fills in `instruction_mixes`.
class InstructionMixAnalyzer : public Analyzer {
 public:
  std::string_view name() const override { return "instruction mix"; }
  absl::StatusOr<reward::v1::AnalysisReport> Analyze(const Subject& subject) const override;
};

}  // namespace cudaperf::analyzers

#endif  // CUDAPERF_ANALYZERS_INSTRUCTION_MIX_ANALYZER_H_
