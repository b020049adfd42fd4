#ifndef CUDAPERF_ANALYZERS_MEMORY_TRAFFIC_H_
#define CUDAPERF_ANALYZERS_MEMORY_TRAFFIC_H_

#include "analyzers/gpu_sheet.h"
#include "cudaperf/reward/v1/report.pb.h"

namespace cudaperf::analyzers {

// What one launch is estimated to move on each level of the memory hierarchy, from counters that know no caches. The
// formulas are in README.md.
struct MemoryTraffic {
  double dram_bytes = 0;
  // Part of the DRAM's peak that this access pattern leaves usable, 0..1.
  double dram_efficiency = 1;
  double l2_load_bytes = 0;
  double l2_store_bytes = 0;
  double l2_partial_store_bytes = 0;
  // Passes through the first level cache: one per 128-byte line of each request.
  double l1_passes = 0;
};

MemoryTraffic EstimateTraffic(const reward::v1::KernelExecution& execution, const GpuSheet& gpu);

}  // namespace cudaperf::analyzers

#endif  // CUDAPERF_ANALYZERS_MEMORY_TRAFFIC_H_
