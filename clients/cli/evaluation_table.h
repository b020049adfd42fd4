#ifndef CUDAPERF_CLIENTS_CLI_EVALUATION_TABLE_H_
#define CUDAPERF_CLIENTS_CLI_EVALUATION_TABLE_H_

#include <string>
#include <vector>

#include "cudaperf/reward/v1/evaluation.pb.h"

namespace cudaperf::clients {

// One evaluated candidate and the name its file goes by.
struct NamedEvaluation {
  std::string name;
  reward::v1::Evaluation evaluation;
};

// Everything worth reading about one evaluation: a block of `label value` lines, the reward's terms, the feedback.
std::string DescribeEvaluation(const NamedEvaluation& named);

// One row per evaluation: outcome, reward and its terms, speedup, coalescing, occupancy, feedback's first line.
std::string TabulateEvaluations(const std::vector<NamedEvaluation>& evaluations);

}  // namespace cudaperf::clients

#endif  // CUDAPERF_CLIENTS_CLI_EVALUATION_TABLE_H_
