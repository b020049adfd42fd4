#ifndef CUDAPERF_SANDBOX_GPU_RUNNER_GPU_RUNNER_LOOP_H_
#define CUDAPERF_SANDBOX_GPU_RUNNER_GPU_RUNNER_LOOP_H_

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "cudaperf/worker/v1/gpu_runner.pb.h"
#include "sandbox/gpu_runner/gpu_context.h"
#include "sandbox/gpu_runner/gpu_program.h"
#include "sandbox/gpu_runner/gpu_recorder.h"
#include "sandbox/gpu_runner/imported_memory.h"
#include "sandbox/worker/frame_channel.h"

namespace cudaperf::sandbox {

// Serves the judge, one request after the other; see gpu_runner.proto for the story. Single-threaded.
class GpuRunnerLoop {
 public:
  // Nothing is owned; everything outlives this.
  GpuRunnerLoop(FrameChannel* judge, GpuContext* gpu, GpuRecorder* recorder)
      : judge_(judge), gpu_(gpu), recorder_(recorder), memory_(gpu) {}

  // Until the judge hangs up: OK.
  absl::Status Run();

 private:
  worker::v1::GpuRunnerResponse Answer(const worker::v1::GpuRunnerRequest& request, const std::vector<UniqueFd>& fds);
  worker::v1::GpuLoadResponse Load(const worker::v1::GpuLoadRequest& request, const std::vector<UniqueFd>& fds);
  worker::v1::GpuCallResponse Call(const worker::v1::GpuCallRequest& request);
  worker::v1::GpuProfileResponse Profile(const worker::v1::GpuProfileRequest& request);

  FrameChannel* const judge_;
  GpuContext* const gpu_;
  GpuRecorder* const recorder_;
  ImportedMemory memory_;
  std::unique_ptr<GpuProgram> program_;
};

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_GPU_RUNNER_GPU_RUNNER_LOOP_H_
