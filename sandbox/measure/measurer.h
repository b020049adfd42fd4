#ifndef CUDAPERF_SANDBOX_MEASURE_MEASURER_H_
#define CUDAPERF_SANDBOX_MEASURE_MEASURER_H_

#include "absl/status/statusor.h"
#include "cudaperf/worker/v1/judge.pb.h"
#include "sandbox/worker/call_scope.h"

namespace cudaperf::sandbox {

// Verifies, times and profiles programs on a GPU.
class Measurer {
 public:
  virtual ~Measurer() = default;

  // The GPU that it measures on.
  virtual const worker::v1::GpuIdentity& gpu() const = 0;

  // Fills in `id`. A non-OK status is our fault, the task's (FAILED_PRECONDITION) or the scope's end; what the program
  // did is in the response.
  virtual absl::StatusOr<worker::v1::MeasureResponse> Measure(worker::v1::MeasureRequest request,
                                                              const CallScope& scope) = 0;
};

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_MEASURE_MEASURER_H_
