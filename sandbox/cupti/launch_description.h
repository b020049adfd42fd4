#ifndef CUDAPERF_SANDBOX_CUPTI_LAUNCH_DESCRIPTION_H_
#define CUDAPERF_SANDBOX_CUPTI_LAUNCH_DESCRIPTION_H_

#include "absl/types/span.h"
#include "cudaperf/worker/v1/gpu_runner.pb.h"

namespace cudaperf::sandbox {

// Gives profiled kernels the names, launch sizes and resources that activity records of the same call tell. Kernels of
// one stream start in launch order; with several streams records may be in another order than launches. False, and
// nothing is changed, when the numbers of kernels differ.
bool DescribeLaunches(const worker::v1::GpuRecordsResponse& records,
                      absl::Span<reward::v1::KernelExecution> executions);

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_CUPTI_LAUNCH_DESCRIPTION_H_
