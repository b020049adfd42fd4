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
  // In launch order, with `counters` and `hardware` set; DescribeLaunches sets the rest. When there are as many as the
  // options allowed, later kernels may be missing.
  std::vector<reward::v1::KernelExecution> executions;
  // How often each kernel was run.
  int pass_count = 0;
  // What it cost: attaching to the GPU (zero when that was done ahead), the call with all its replays, computing the
  // metrics, letting the GPU go.
  absl::Duration attach_time;
  absl::Duration call_time;
  absl::Duration evaluate_time;
  absl::Duration detach_time;
};

// Counts hardware events of every kernel that a function launches, by CUPTI's range profiler: one range per kernel.
// Launches are serialized, so that nothing here is a time that counts.
//
// From Attach to the end of Profile this process gets no activity records, paused or not. Attaching costs more than all
// the rest, so that a process that is made for one profile attaches before it is needed. Not thread-safe.
class RangeProfiler {
 public:
  // How kernels come to run as often as their counters need.
  enum class Replay {
    // Each kernel by itself, with the memory that it wrote restored in between. The call happens once.
    kKernel,
    // The call happens once per pass, and launches the same kernels each time; nothing is restored. Costs far less when
    // there
    // are several kernels.
    kCall,
  };

  struct Options {
    reward::v1::ProfileLevel level = reward::v1::PROFILE_LEVEL_CORE;
    Replay replay = Replay::kKernel;
    // Most kernels of one profile. Each costs about a megabyte of host memory, and with kCall a millisecond of
    // attaching.
    int max_kernels = 16;

    friend bool operator==(const Options&, const Options&) = default;
  };

  // Does what does not depend on the candidate. Does not attach: only one process at a time can count, and others may be
  // at it. Statuses as CuptiLibrary::Check. The context is current and stays so; `library` is not owned; both outlive this.
  static absl::StatusOr<std::unique_ptr<RangeProfiler>> Prepare(const CuptiLibrary* library, CUcontext context,
                                                                worker::v1::ProfilerImage image);
  ~RangeProfiler();
  RangeProfiler(const RangeProfiler&) = delete;
  RangeProfiler& operator=(const RangeProfiler&) = delete;

  // Pays ahead for the next Profile with the same options. Whatever is launched from here on is counted there, too.
  absl::Status Attach(const Options& options);

  // Runs `call`, which waits for all that it launched. Not OK: the profiler failed, as CuptiLibrary::Check says;
  // whether the call happened is then unknown. Detaches in any case.
  absl::StatusOr<KernelProfile> Profile(const Options& options, absl::FunctionRef<absl::Status()> call);

 private:
  class Session;

  RangeProfiler(const CuptiLibrary* library, CUcontext context, worker::v1::ProfilerImage image);

  const CuptiLibrary* const library_;
  const CUcontext context_;
  const worker::v1::ProfilerImage image_;
  std::unique_ptr<ProfilerHost> host_;
  // While attached.
  std::unique_ptr<Session> session_;
};

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_CUPTI_RANGE_PROFILER_H_
