#ifndef CUDAPERF_ANALYZERS_OCCUPANCY_H_
#define CUDAPERF_ANALYZERS_OCCUPANCY_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "analyzers/gpu_sheet.h"
#include "cudaperf/reward/v1/report.pb.h"

namespace cudaperf::analyzers {

// What one block of a launch takes.
struct BlockShape {
  int64_t threads = 0;
  int64_t registers_per_thread = 0;
  int64_t static_shared_bytes = 0;
  int64_t dynamic_shared_bytes = 0;
};

// Theoretical occupancy by NVIDIA's own calculator. INVALID_ARGUMENT when no block of that shape fits on the GPU at
// all.
absl::StatusOr<reward::v1::Occupancy> ComputeOccupancy(const GpuSheet& gpu, const BlockShape& block);

// Shape of a launch's blocks.
BlockShape ShapeOf(const reward::v1::KernelExecution& execution);

}  // namespace cudaperf::analyzers

#endif  // CUDAPERF_ANALYZERS_OCCUPANCY_H_
