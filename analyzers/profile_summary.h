#ifndef CUDAPERF_ANALYZERS_PROFILE_SUMMARY_H_
#define CUDAPERF_ANALYZERS_PROFILE_SUMMARY_H_

#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "analyzers/gpu_sheet.h"
#include "cudaperf/reward/v1/report.pb.h"

namespace cudaperf::analyzers {

// Structural figures of the report's largest MODEL case that passed, all launches together; SOURCE_EMULATED. Occupancy
// is weighted by modelled time. FAILED_PRECONDITION when there is no such case.
absl::StatusOr<reward::v1::ProfileReport> SummarizeProfile(const reward::v1::ExecutionReport& report,
                                                           const GpuSheet& gpu);

// Theoretical occupancy of each launch, in order, for `AnalysisReport.launch_occupancies`.
std::vector<reward::v1::LaunchOccupancy> OccupanciesOf(absl::Span<const reward::v1::KernelExecution> executions,
                                                       const GpuSheet& gpu);

// The same of the launches of that largest case; empty without one.
std::vector<reward::v1::LaunchOccupancy> SummarizeOccupancy(const reward::v1::ExecutionReport& report,
                                                            const GpuSheet& gpu);

}  // namespace cudaperf::analyzers

#endif  // CUDAPERF_ANALYZERS_PROFILE_SUMMARY_H_
