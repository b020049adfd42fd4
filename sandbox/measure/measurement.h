#ifndef CUDAPERF_SANDBOX_MEASURE_MEASUREMENT_H_
#define CUDAPERF_SANDBOX_MEASURE_MEASUREMENT_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cudaperf/worker/v1/judge.pb.h"
#include "sandbox/judge/case_source.h"
#include "sandbox/judge/interruption.h"
#include "sandbox/judge/reference.h"
#include "sandbox/judge/retirement.h"
#include "sandbox/measure/baseline_store.h"
#include "sandbox/measure/case_timing.h"
#include "sandbox/measure/case_verification.h"
#include "sandbox/measure/gpu_device.h"
#include "sandbox/measure/gpu_runner_pool.h"

namespace cudaperf::sandbox {

// One request on the GPU: the small cases against the reference, the full-size ones against the baseline with the clock
// running, then the profile. A runner of ours that dies is replaced once.
class Measurement {
 public:
  struct Tools {
    // Not owned; all outlive this.
    GpuDevice* gpu = nullptr;
    GpuRunnerPool* pool = nullptr;
    BaselineStore* baselines = nullptr;
    CaseSource* source = nullptr;
    Reference* reference = nullptr;
    Interruption* interruption = nullptr;
    // Ends runners behind the judge's back.
    Retirement* retirement = nullptr;
  };

  // `request` is not owned; outlives this.
  Measurement(const worker::v1::MeasureRequest& request, Tools tools) : request_(request), tools_(tools) {}

  // A non-OK status: the task's fault (FAILED_PRECONDITION), a malformed request (INVALID_ARGUMENT), an interruption,
  // UNAVAILABLE when the GPU is lost, or a fault of ours.
  absl::StatusOr<worker::v1::MeasureResponse> Run();

 private:
  absl::Status CheckRequest() const;
  absl::StatusOr<worker::v1::MeasureResponse> Try();
  absl::Status StartCandidate(MeasuredProgram& candidate, worker::v1::MeasureResponse& response);
  absl::Status Screen(MeasuredProgram& candidate, worker::v1::MeasureResponse& response);
  absl::Status Verify(MeasuredProgram& candidate, worker::v1::MeasureResponse& response);
  // One case beside the baseline; true when the measurement goes on.
  absl::StatusOr<bool> RunCase(CaseTiming& timing, StoredBaseline& baseline, worker::v1::MeasureResponse& response);
  CaseTiming::Options TimingOptions(MeasuredProgram& candidate, StoredBaseline& baseline, int case_index) const;
  absl::Status Time(MeasuredProgram& candidate, worker::v1::MeasureResponse& response);
  // Adds the case; true when the measurement goes on.
  absl::StatusOr<bool> Add(MeasuredCase measured, worker::v1::MeasureResponse& response);
  MeasuredProgram::Options ProgramOptions() const;

  const worker::v1::MeasureRequest& request_;
  const Tools tools_;
};

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_MEASURE_MEASUREMENT_H_
