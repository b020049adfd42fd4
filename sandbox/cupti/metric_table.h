#ifndef CUDAPERF_SANDBOX_CUPTI_METRIC_TABLE_H_
#define CUDAPERF_SANDBOX_CUPTI_METRIC_TABLE_H_

#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "cudaperf/reward/v1/report.pb.h"

namespace cudaperf::sandbox {

// One kernel's figures by NVIDIA's names of the metrics.
using MetricValues = absl::flat_hash_map<std::string, double>;

// The metrics of a level: CORE or FULL. On GH100 CORE takes three passes: whatever is counted by instrumented code
// (`smsp__sass_*`) shares one, and what hardware counts has been chosen to fit into two.
std::vector<std::string> MetricNames(reward::v1::ProfileLevel level);

// Sets `counters` and `hardware` of an execution from the values of either level. What was not counted, and ratios of
// nothing to nothing (NaN), stay absent, or zero where the field has no presence. README.md says what feeds what.
void SetExecution(const MetricValues& values, reward::v1::KernelExecution* execution);

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_CUPTI_METRIC_TABLE_H_
