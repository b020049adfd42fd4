#ifndef CUDAPERF_SANDBOX_MEASURE_GPU_JUDGE_SERVER_H_
#define CUDAPERF_SANDBOX_MEASURE_GPU_JUDGE_SERVER_H_

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cudaperf/worker/v1/judge.pb.h"
#include "sandbox/judge/expected_outputs.h"
#include "sandbox/judge/interruption.h"
#include "sandbox/judge/retirement.h"
#include "sandbox/judge/warm_tasks.h"
#include "sandbox/judge/worker_settings.h"
#include "sandbox/measure/baseline_store.h"
#include "sandbox/measure/gpu_device.h"
#include "sandbox/measure/gpu_runner_pool.h"
#include "sandbox/worker/frame_channel.h"

namespace cudaperf::sandbox {

// The GPU judge's loop: one measurement at a time from the daemon's channel. Its first message says which GPU it is in
// charge of, or why there is none. Not thread-safe.
class GpuJudgeServer {
 public:
  // `selection`: see GpuDevice::Open.
  GpuJudgeServer(FrameChannel daemon, WorkerSettings settings, std::string selection);

  // Returns OK when the daemon closes its end; runners are gone by then.
  absl::Status Run();

 private:
  // Opens the GPU and waits for a first warm runner.
  absl::Status Start();
  absl::Status SendReady(const absl::Status& status);
  absl::StatusOr<worker::v1::MeasureResponse> Measure(const worker::v1::MeasureRequest& request);

  const WorkerSettings settings_;
  const std::string selection_;
  FrameChannel daemon_;
  Interruption interruption_;
  Retirement retirement_;
  WarmTasks warm_;
  ExpectedOutputs known_;
  std::unique_ptr<GpuDevice> gpu_;
  std::unique_ptr<GpuRunnerPool> pool_;
  BaselineStore baselines_;
};

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_MEASURE_GPU_JUDGE_SERVER_H_
