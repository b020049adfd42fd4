#ifndef CUDAPERF_SANDBOX_MEASURE_GPU_RUNNER_POOL_H_
#define CUDAPERF_SANDBOX_MEASURE_GPU_RUNNER_POOL_H_

#include <deque>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "sandbox/judge/worker_settings.h"
#include "sandbox/measure/gpu_device.h"
#include "sandbox/measure/gpu_runner_session.h"

namespace cudaperf::sandbox {

// Runners that get warm before a candidate comes. Each serves one program and never comes back. Not thread-safe.
class GpuRunnerPool {
 public:
  // As many spare ones as cores can warm and as the device's free memory holds a quarter of, at least one. `gpu` is not
  // owned; outlives this.
  GpuRunnerPool(WorkerSettings settings, GpuDevice* gpu);

  const WorkerSettings& settings() const { return settings_; }

  // Waits for a first warm runner, whose knowledge of the device the others use.
  absl::Status WarmUp(Interruption* interruption);
  // Starts what is missing; does not wait for warmth.
  absl::Status Refill();
  // The one that was started first, warm.
  absl::StatusOr<std::unique_ptr<GpuRunnerSession>> Take(Interruption* interruption);

 private:
  const WorkerSettings settings_;
  GpuDevice* const gpu_;
  size_t spare_count_;
  // Serialised ProfilerImage, from the first runner that made one; empty before, and where there are no counters.
  std::string profiler_image_;
  std::deque<std::unique_ptr<GpuRunnerSession>> spares_;
};

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_MEASURE_GPU_RUNNER_POOL_H_
