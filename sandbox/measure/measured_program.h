#ifndef CUDAPERF_SANDBOX_MEASURE_MEASURED_PROGRAM_H_
#define CUDAPERF_SANDBOX_MEASURE_MEASURED_PROGRAM_H_

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "cudaperf/worker/v1/judge.pb.h"
#include "sandbox/measure/case_memory.h"
#include "sandbox/measure/gpu_runner_pool.h"
#include "sandbox/task/launch_binding.h"

namespace cudaperf::sandbox {

// How one call of a program ended.
struct MeasuredCall {
  // UNSPECIFIED: it ran to its end, the outputs decide. Anything else decides by itself, and the program is spent.
  reward::v1::CaseStatus status = reward::v1::CASE_STATUS_UNSPECIFIED;
  // One sentence, with any status.
  std::string detail;
  // Not empty: the program cannot be launched so; the whole measurement ends with this sentence.
  std::string rejection;
  // Empty without CUPTI.
  worker::v1::GpuRecordsResponse records;
  // What is charged: see call_time.h.
  absl::Duration time;
  // The judge's own clock, from asking until the device had run a kernel of the judge's behind the call.
  absl::Duration outer;
};

// One program in a GPU runner, candidate or baseline. Calls come in order: Start, then BeginCase, Call as often as
// wanted, EndCase. A non-OK status is an interruption, a fault of ours, or ABORTED where an innocent runner died; the
// program is spent. Not thread-safe.
class MeasuredProgram {
 public:
  struct Options {
    // Not owned; all outlive this.
    const reward::v1::CudaTask* task = nullptr;
    const worker::v1::CompiledProgram* program = nullptr;
    GpuRunnerPool* pool = nullptr;
    GpuDevice* gpu = nullptr;
    Interruption* interruption = nullptr;
    absl::Duration call_limit;
    int64_t device_memory_limit_bytes = 0;
  };

  explicit MeasuredProgram(Options options);

  // Its host code runs, and is hostile unless it is the baseline's.
  bool is_launcher() const { return options_.program->kind() == reward::v1::CANDIDATE_KIND_LAUNCHER; }

  // Takes a runner and loads the program. The call says why that cannot be done, if it is the program's fault.
  absl::StatusOr<MeasuredCall> Start();
  bool has_started() const { return runner_ != nullptr; }
  // Gives the runner up, and returns it: ending it takes some time.
  std::unique_ptr<GpuRunnerSession> Stop() { return std::move(runner_); }

  // Scratch memory that the program needs in a case; INVALID_ARGUMENT about the program.
  absl::StatusOr<std::vector<int64_t>> ScratchBytes(const reward::v1::Case& test_case);

  // `memory` is borrowed until EndCase.
  absl::Status BeginCase(CaseMemory* memory);
  // `scalars`: the bytes of every scalar parameter. `idle`: what the judge's clock sees of an honest call besides its
  // span.
  absl::StatusOr<MeasuredCall> Call(const std::vector<std::string>& scalars, absl::Duration idle);
  // The judge's own time of a call of nothing. Only a program without hostile host code tells it honestly.
  absl::StatusOr<absl::Duration> CallNothing();
  // Counters of one more call, which launches `kernel_count` kernels.
  absl::StatusOr<worker::v1::GpuProfileResponse> Profile(const std::vector<std::string>& scalars,
                                                         reward::v1::ProfileLevel level, int kernel_count);
  absl::Status EndCase();

  // Why there are no records or counters.
  const worker::v1::GpuReady& ready() const { return runner_->ready(); }

 private:
  absl::StatusOr<MeasuredCall> Load();
  // What a parameter of the task, or of a kernel, is given. INVALID_ARGUMENT when a scalar does not fit.
  std::string ParameterBytes(int index, const std::vector<std::string>& scalars) const;
  absl::StatusOr<std::string> ArgumentBytes(const BoundArgument& argument,
                                            const std::vector<std::string>& scalars) const;
  // Sets `rejection` when a value does not fit.
  worker::v1::GpuCallRequest CallRequest(const std::vector<std::string>& scalars, std::string* rejection) const;
  // The call's end by a status of the session: the program's doing, or ours.
  absl::StatusOr<MeasuredCall> EndedBy(const absl::Status& status);
  MeasuredCall Claimed(const worker::v1::GpuCallResponse& claim) const;

  const Options options_;
  std::unique_ptr<GpuRunnerSession> runner_;
  std::optional<LaunchPlan> plan_;
  CaseMemory* memory_ = nullptr;
};

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_MEASURE_MEASURED_PROGRAM_H_
