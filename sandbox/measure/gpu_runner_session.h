#ifndef CUDAPERF_SANDBOX_MEASURE_GPU_RUNNER_SESSION_H_
#define CUDAPERF_SANDBOX_MEASURE_GPU_RUNNER_SESSION_H_

#include <functional>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "cudaperf/worker/v1/gpu_runner.pb.h"
#include "sandbox/jail/jailed_process.h"
#include "sandbox/judge/interruption.h"
#include "sandbox/judge/worker_settings.h"
#include "sandbox/measure/gpu_device.h"
#include "sandbox/worker/frame_channel.h"

namespace cudaperf::sandbox {

// One GPU runner process: a candidate's home. Calls return ABORTED when the process died or broke the protocol,
// DEADLINE_EXCEEDED when it was late, RESOURCE_EXHAUSTED when it took more device memory than it may, and what
// Interruption says; after any of them the session is spent. Destroying it kills the process and waits until its memory
// is back. Not thread-safe.
class GpuRunnerSession {
 public:
  // Starts a process that gets warm by itself. `profiler_image`: a serialised ProfilerImage, or empty: the process then
  // makes one, which takes it some tenths of a second, and tells it in `ready`. `gpu` is not owned; outlives this.
  static absl::StatusOr<std::unique_ptr<GpuRunnerSession>> Start(const WorkerSettings& settings, GpuDevice* gpu,
                                                                 const std::string& profiler_image);

  // Waits until it is warm: OK. UNAVAILABLE when it cannot serve.
  absl::Status AwaitReady(Interruption* interruption);
  // After AwaitReady: why there are no records, or no counters; empty when there are.
  const worker::v1::GpuReady& ready() const { return ready_; }

  // From now on waits end with an interruption, and with device memory beyond `limit_bytes` (0: none counts).
  void Serve(Interruption* interruption, int64_t device_memory_limit_bytes);

  absl::StatusOr<worker::v1::GpuMapResponse> Map(const worker::v1::GpuMapRequest& request, absl::Span<const int> fds);
  absl::Status UnmapAll();
  // `shared_object` -1 for kernels.
  absl::StatusOr<worker::v1::GpuLoadResponse> Load(const worker::v1::GpuLoadRequest& request, int shared_object,
                                                   absl::Time deadline);
  absl::StatusOr<worker::v1::GpuCallResponse> Call(const worker::v1::GpuCallRequest& request, absl::Time deadline);
  absl::StatusOr<worker::v1::GpuRecordsResponse> TakeRecords();
  absl::StatusOr<worker::v1::GpuProfileResponse> Profile(const worker::v1::GpuProfileRequest& request,
                                                         absl::Time deadline);

  bool IsAlive() const;
  // How the process ended; kills it if it runs, after a moment if it closed its channel.
  enum class EndKind { kRuns, kHasHungUp };
  ProcessEnd End(EndKind kind = EndKind::kRuns);

 private:
  GpuRunnerSession(std::unique_ptr<JailedProcess> process, FrameChannel channel, GpuDevice* gpu);

  absl::StatusOr<worker::v1::GpuRunnerResponse> Converse(const worker::v1::GpuRunnerRequest& request,
                                                         absl::Time deadline, absl::Span<const int> fds = {});
  absl::Status AwaitAnswer(absl::Time deadline);
  absl::Status CheckMemory() const;

  std::unique_ptr<JailedProcess> process_;
  FrameChannel channel_;
  GpuDevice* const gpu_;
  Interruption* interruption_ = nullptr;
  worker::v1::GpuReady ready_;
  bool is_ready_ = false;
  int64_t memory_limit_bytes_ = 0;
  int64_t free_bytes_before_ = 0;
  std::optional<ProcessEnd> end_;
};

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_MEASURE_GPU_RUNNER_SESSION_H_
