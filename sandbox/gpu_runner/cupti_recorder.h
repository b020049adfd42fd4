#ifndef CUDAPERF_SANDBOX_GPU_RUNNER_CUPTI_RECORDER_H_
#define CUDAPERF_SANDBOX_GPU_RUNNER_CUPTI_RECORDER_H_

#include <memory>
#include <string>

#include "sandbox/gpu_runner/gpu_context.h"
#include "sandbox/gpu_runner/gpu_recorder.h"

namespace cudaperf::sandbox {

// Records by CUPTI's activity records, counters by its range profiler, both made ready at creation. What CUPTI refuses is
// told in record_error and counter_error.
class CuptiRecorder : public GpuRecorder {
 public:
  // `gpu` is not owned; outlives this.
  static std::unique_ptr<CuptiRecorder> Create(GpuContext* gpu, const std::string& toolkit_root);

  std::string record_error() const override { return record_error_; }
  std::string counter_error() const override { return counter_error_; }
  void Begin() override;
  worker::v1::GpuRecordsResponse TakeRecords() override;
  worker::v1::GpuProfileResponse Profile(reward::v1::ProfileLevel level,
                                         const std::function<worker::v1::GpuCallResponse()>& call) override;

 private:
  explicit CuptiRecorder(GpuContext* gpu) : gpu_(gpu) {}

  GpuContext* const gpu_;
  std::string record_error_;
  std::string counter_error_;
};

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_GPU_RUNNER_CUPTI_RECORDER_H_
