#ifndef CUDAPERF_ANALYZERS_PERFORMANCE_ADVICE_H_
#define CUDAPERF_ANALYZERS_PERFORMANCE_ADVICE_H_

#include <vector>

#include "cudaperf/reward/v1/evaluation.pb.h"
#include "cudaperf/reward/v1/task.pb.h"

namespace cudaperf::analyzers {

// Says of a correct candidate what limits it and where, most useful first: what costs most time according to the
// profile and the time comes before what costs less. Every sentence rests on a figure of the evidence, and advice is
// given only where that figure supports it. Empty when there is nothing to say.
std::vector<reward::v1::FeedbackItem> AdvisePerformance(const reward::v1::CudaTask& task,
                                                        const reward::v1::Evaluation& evidence);

}  // namespace cudaperf::analyzers

#endif  // CUDAPERF_ANALYZERS_PERFORMANCE_ADVICE_H_
