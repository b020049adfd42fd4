#ifndef CUDAPERF_SANDBOX_GPU_RUNNER_CUPTI_RECORDER_H_
#define CUDAPERF_SANDBOX_GPU_RUNNER_CUPTI_RECORDER_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "cudaperf/worker/v1/gpu_runner.pb.h"
#include "sandbox/cupti/activity_recorder.h"
#include "sandbox/cupti/cupti_library.h"
#include "sandbox/cupti/range_profiler.h"
#include "sandbox/gpu_runner/gpu_context.h"
#include "sandbox/gpu_runner/gpu_recorder.h"

namespace cudaperf::sandbox {

// Records by CUPTI's activity records, counters by its range profiler, both made ready at creation. What CUPTI refuses
// is told in the errors; records go on without counters.
class CuptiRecorder : public GpuRecorder {
 public:
  // Getting ready to count takes some tenths of a second.
  enum class Counting { kNone, kReady };

  // `image` as another process made it, or nothing: then it is made here and told in `ready`. `gpu` is not owned;
  // outlives this.
  static std::unique_ptr<CuptiRecorder> Create(GpuContext* gpu, const std::string& toolkit_root,
                                               std::optional<worker::v1::ProfilerImage> image, Counting counting,
                                               worker::v1::GpuReady* ready);

  void Begin() override;
  worker::v1::GpuRecordsResponse TakeRecords() override;
  worker::v1::GpuProfileResponse Profile(const worker::v1::GpuProfileRequest& request,
                                         const std::function<worker::v1::GpuCallResponse()>& call) override;

 private:
  explicit CuptiRecorder(GpuContext* gpu) : gpu_(gpu) {}

  absl::Status PrepareProfiler(std::optional<worker::v1::ProfilerImage> image, worker::v1::GpuReady* ready);
  // Names and launch sizes of what was profiled, from a recorded call.
  void Describe(const std::function<worker::v1::GpuCallResponse()>& call, worker::v1::GpuProfileResponse* response);

  GpuContext* const gpu_;
  std::unique_ptr<CuptiLibrary> library_;
  std::unique_ptr<ActivityRecorder> recorder_;
  std::unique_ptr<RangeProfiler> profiler_;
  std::string counter_error_;
};

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_GPU_RUNNER_CUPTI_RECORDER_H_
