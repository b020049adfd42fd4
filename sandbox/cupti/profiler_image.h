#ifndef CUDAPERF_SANDBOX_CUPTI_PROFILER_IMAGE_H_
#define CUDAPERF_SANDBOX_CUPTI_PROFILER_IMAGE_H_

#include <cuda.h>

#include <string>

#include "absl/status/statusor.h"
#include "cudaperf/worker/v1/gpu_runner.pb.h"
#include "sandbox/cupti/cupti_library.h"

namespace cudaperf::sandbox {

// Asks the device of `context`, number `device`, which counters it has, and schedules both levels on them. Takes some
// tenths of a second, so that it is done once per device and handed to the processes that profile. Fails as
// CuptiLibrary::Check says when counters may not be read, and while a profiler is at work in this process.
absl::StatusOr<worker::v1::ProfilerImage> MakeProfilerImage(const CuptiLibrary& library, CUcontext context,
                                                            CUdevice device);

// The same for a chip by CUPTI's name of it, with what is known of its availability (empty: all that the chip has).
// Needs no GPU. Metrics that the chip lacks are left out.
absl::StatusOr<worker::v1::ProfilerImage> MakeProfilerImage(const CuptiLibrary& library, const std::string& chip,
                                                            const std::string& availability);

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_CUPTI_PROFILER_IMAGE_H_
