#ifndef CUDAPERF_ANALYZERS_FAILURE_EXPLANATION_H_
#define CUDAPERF_ANALYZERS_FAILURE_EXPLANATION_H_

#include <string>
#include <vector>

#include "cudaperf/reward/v1/evaluation.pb.h"
#include "cudaperf/reward/v1/task.pb.h"

namespace cudaperf::analyzers {

// Says of a candidate that failed what went wrong and where, most useful first, with the source line quoted where there
// is one: diagnostics, broken rules, faults and other findings, wrong elements. Of the expected outputs it repeats only
// the few elements in the evidence.
std::vector<reward::v1::FeedbackItem> ExplainFailure(const reward::v1::CudaTask& task,
                                                     const reward::v1::Candidate& candidate,
                                                     const reward::v1::Evaluation& evidence);

// `n = 1023, rows = 3` of a case of the task; empty for an unknown case.
std::string DescribeSizes(const reward::v1::CudaTask& task, const std::string& case_name);

}  // namespace cudaperf::analyzers

#endif  // CUDAPERF_ANALYZERS_FAILURE_EXPLANATION_H_
