#ifndef CUDAPERF_SANDBOX_MEASURE_GPU_JUDGE_PROCESS_H_
#define CUDAPERF_SANDBOX_MEASURE_GPU_JUDGE_PROCESS_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "cudaperf/config/v1/server_config.pb.h"
#include "cudaperf/reward/v1/evaluation.pb.h"
#include "sandbox/judge/judge_connection.h"
#include "sandbox/measure/measurer.h"

namespace cudaperf::sandbox {

// The GPU judge in its process. See JudgeConnection for its life. Thread-safe.
class GpuJudgeProcess : public Measurer {
 public:
  struct Options {
    // Folder of the `cudaperf-*` binaries.
    std::string worker_directory;
    std::string toolkit_root;
    reward::v1::SandboxLevel level = reward::v1::SANDBOX_LEVEL_FULL;
    config::v1::Limits limits;
    // NONE: runners do not get a profiler ready.
    reward::v1::ProfileLevel profile_level = reward::v1::PROFILE_LEVEL_CORE;
    // `auto`, `cuda:N`, `GPU-uuid` or `MIG-uuid`.
    std::string gpu;
  };

  // Starts the process and waits until a runner is warm. NOT_FOUND when there is no such GPU, FAILED_PRECONDITION when
  // another daemon holds it.
  static absl::StatusOr<std::unique_ptr<GpuJudgeProcess>> Start(const Options& options);

  const worker::v1::GpuIdentity& gpu() const override { return connection_->ready().gpu(); }
  absl::StatusOr<worker::v1::MeasureResponse> Measure(worker::v1::MeasureRequest request,
                                                      const CallScope& scope) override;

  // GPU judges started over this object's life; the first counts.
  int64_t start_count() const { return connection_->start_count(); }

 private:
  explicit GpuJudgeProcess(std::unique_ptr<JudgeConnection> connection) : connection_(std::move(connection)) {}

  const std::unique_ptr<JudgeConnection> connection_;
};

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_MEASURE_GPU_JUDGE_PROCESS_H_
