#ifndef CUDAPERF_SANDBOX_MEASURE_CALL_TIME_H_
#define CUDAPERF_SANDBOX_MEASURE_CALL_TIME_H_

#include "absl/time/time.h"
#include "cudaperf/worker/v1/gpu_runner.pb.h"

namespace cudaperf::sandbox {

// What the device did in one call, by the device's own clock: from the first thing's start to the last one's end, so
// that gaps between kernels count and the way from the host to the device does not. Zero without records. `Span` of
// kernels of a few microseconds is right to the resolution of the device's clock (32 ns on Hopper), where events around
// a launch add some microseconds of their own.
absl::Duration Span(const worker::v1::GpuRecordsResponse& records);

// A call's time where host code of the candidate ran, which may hide work from the records or forge them: never less
// than what the judge's own clock saw, less `idle`, which is what that clock sees of an honest call besides its span.
absl::Duration BoundedTime(absl::Duration span, absl::Duration outer, absl::Duration idle);

// Least time in which `output_bytes` can have reached memory: what the L2 cache cannot hold, at the memory's peak.
absl::Duration LeastTime(int64_t output_bytes, int64_t l2_bytes, double peak_bytes_per_second);

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_MEASURE_CALL_TIME_H_
