#ifndef CUDAPERF_ANALYZERS_HARDWARE_PROFILE_H_
#define CUDAPERF_ANALYZERS_HARDWARE_PROFILE_H_

#include <string>

#include "absl/types/span.h"
#include "cudaperf/reward/v1/report.pb.h"

namespace cudaperf::analyzers {

// Structural figures of one call from the counters of its kernels, all launches together; SOURCE_CUPTI. Shares are
// weighted by the kernels' times, counts are sums. Coalescing is by the share of each sector's bytes that threads asked
// for, loads and stores weighted by their sectors.
reward::v1::ProfileReport SummarizeHardwareProfile(absl::Span<const reward::v1::KernelExecution> executions,
                                                   const reward::v1::Transfers& transfers);

// What bounds a call by its throughputs: `dram bandwidth` or `issue` where that unit is busy for most of the time
// (60 % of its peak, as NVIDIA's Nsight Compute draws the line), else `latency`.
std::string HardwareLimiter(const reward::v1::ProfileReport& profile);

}  // namespace cudaperf::analyzers

#endif  // CUDAPERF_ANALYZERS_HARDWARE_PROFILE_H_
