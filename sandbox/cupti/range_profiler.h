#ifndef CUDAPERF_SANDBOX_CUPTI_RANGE_PROFILER_H_
#define CUDAPERF_SANDBOX_CUPTI_RANGE_PROFILER_H_

#include <cuda.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "cudaperf/worker/v1/gpu_runner.pb.h"
#include "sandbox/cupti/cupti_library.h"
#include "sandbox/cupti/profiler_host.h"

namespace cudaperf::sandbox {

// What the counters say about the kernels of one call.
struct KernelProfile {
  // What the call answered; when it failed there are no executions.
  absl::Status call;
  // In launch order, with `counters` and `hardware` set; DescribeLaunches sets the rest.
  std::vector<reward::v1::KernelExecution> executions;
  // Kernels beyond the most that a profile holds.
  int64_t dropped_count = 0;
  // How often each kernel was run.
  int pass_count = 0;
  // What it cost: making the GPU ready and letting it go, the call with all replays, computing the metrics.
  absl::Duration attach_time;
  absl::Duration call_time;
  absl::Duration evaluate_time;
};

// Counts hardware events of every kernel that a function launches, by CUPTI's range profiler: one range per kernel, each
// replayed as often as its counters need, with the memory that it wrote restored in between. Launches are serialized, so
// that nothing here is a time that counts. An ActivityRecorder must be paused meanwhile. Not thread-safe.
class RangeProfiler {
 public:
  // Most kernels of one profile.
  static constexpr int kMaxKernels = 256;

  // Does what does not depend on the candidate, and counts nothing once, to see that counting is allowed: statuses as
  // CuptiLibrary::Check. The context is current and stays so; `library` is not owned; both outlive this.
  static absl::StatusOr<std::unique_ptr<RangeProfiler>> Prepare(const CuptiLibrary* library, CUcontext context,
                                                                worker::v1::ProfilerImage image);
  RangeProfiler(const RangeProfiler&) = delete;
  RangeProfiler& operator=(const RangeProfiler&) = delete;

  // Runs `call`, which waits for all that it launched. Not OK: the profiler failed, as CuptiLibrary::Check says; whether the
  // call happened is then unknown.
  absl::StatusOr<KernelProfile> Profile(reward::v1::ProfileLevel level, absl::FunctionRef<absl::Status()> call);

 private:
  RangeProfiler(const CuptiLibrary* library, CUcontext context, worker::v1::ProfilerImage image)
      : library_(library), context_(context), image_(std::move(image)) {}

  const CuptiLibrary* const library_;
  const CUcontext context_;
  const worker::v1::ProfilerImage image_;
  std::unique_ptr<ProfilerHost> host_;
};

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_CUPTI_RANGE_PROFILER_H_
