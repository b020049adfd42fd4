#ifndef CUDAPERF_ANALYZERS_LAUNCH_TIME_H_
#define CUDAPERF_ANALYZERS_LAUNCH_TIME_H_

#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "analyzers/gpu_sheet.h"
#include "cudaperf/reward/v1/report.pb.h"

namespace cudaperf::analyzers {

// Least time that one resource needs for a launch.
struct TimeBound {
  // As in `CaseTiming.limiter`.
  std::string_view resource;
  double seconds = 0;
};

// Modelled time of one launch.
struct LaunchTime {
  // Launch overhead and execution together.
  double seconds = 0;
  double overhead_seconds = 0;
  // Largest first.
  std::vector<TimeBound> bounds;
  double dram_bytes = 0;
  reward::v1::Occupancy occupancy;
};

// Models one launch from exact counters. The formula is in README.md. INVALID_ARGUMENT when the launch cannot run on
// `gpu`.
absl::StatusOr<LaunchTime> ModelLaunch(const reward::v1::KernelExecution& execution, const GpuSheet& gpu);

}  // namespace cudaperf::analyzers

#endif  // CUDAPERF_ANALYZERS_LAUNCH_TIME_H_
