#ifndef CUDAPERF_SANDBOX_MEASURE_CASE_TIMING_H_
#define CUDAPERF_SANDBOX_MEASURE_CASE_TIMING_H_

#include <optional>
#include <random>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "cudaperf/reward/v1/report.pb.h"
#include "sandbox/judge/reference.h"
#include "sandbox/measure/baseline_store.h"
#include "sandbox/measure/case_memory.h"
#include "sandbox/measure/case_verification.h"
#include "sandbox/measure/measured_program.h"
#include "sandbox/measure/time_sample.h"

namespace cudaperf::sandbox {

// One full-size case, candidate beside baseline. Every iteration draws new inputs, calls both in random order, each
// with poisoned outputs, flushed L2 and nothing else running, and compares their outputs: so answers are checked on the
// very calls that are timed, no content is ever seen twice, and drift of the clocks meets both alike. The baseline is
// trusted after it has once answered as the reference does. Iterations go on until both medians are known within 1 %
// (95 % confidence) or the budget is spent.
class CaseTiming {
 public:
  struct Options {
    // Not owned; all outlive this.
    GpuDevice* gpu = nullptr;
    const reward::v1::CudaTask* task = nullptr;
    int case_index = 0;
    MeasuredProgram* candidate = nullptr;
    StoredBaseline* baseline = nullptr;
    Reference* reference = nullptr;
    // Zero: two iterations, not timed.
    absl::Duration budget;
    reward::v1::ProfileLevel profile_level = reward::v1::PROFILE_LEVEL_NONE;
  };

  explicit CaseTiming(Options options);

  // The candidate's result; `timing()` holds when it passed. FAILED_PRECONDITION when the task's baseline or reference
  // is at fault.
  absl::StatusOr<MeasuredCase> Run();
  const reward::v1::CaseTiming& timing() const { return timing_; }
  const std::optional<worker::v1::GpuProfileResponse>& profile() const { return profile_; }
  const reward::v1::Transfers& transfers() const { return transfers_; }
  absl::Duration profile_duration() const { return profile_duration_; }

 private:
  // A program, its memory in this case, and its times.
  struct Contestant {
    MeasuredProgram* program = nullptr;
    std::optional<CaseMemory> memory;
    TimeSample times;
    MeasuredCall last;
  };

  absl::Status Enter(Contestant& contestant, std::string* rejection);
  // Learns `idle_` from the baseline's runner, in the state that the device is in before a timed call.
  absl::Status Calibrate();
  // What the judge's clock sees of a call besides its span: of the baseline's, which is honest; or of an empty kernel.
  absl::StatusOr<absl::Duration> OverheadOfBaseline();
  absl::StatusOr<absl::Duration> OverheadOfNothing();
  bool is_timed() const { return options_.budget > absl::ZeroDuration(); }
  absl::Status CheckBaseline();
  // Sets the result's status when the candidate's call or answer decides it.
  absl::Status Iterate(int iteration, MeasuredCase* measured);
  absl::Status CallOne(Contestant& contestant, const Seed& seed, const std::vector<std::string>& scalars,
                       unsigned char poison);
  // Looks whether something outside the candidate's outputs was written.
  absl::Status CheckGuards(MeasuredCase* measured);
  // Elements of the candidate's outputs that are not the baseline's.
  absl::StatusOr<uint64_t> CountDifferences();
  // Lets the reference decide; the candidate is wrong, or the baseline.
  absl::Status Decide(const Seed& seed, const std::vector<std::string>& scalars, unsigned char poison,
                      MeasuredCase* measured);
  absl::StatusOr<CaseDraw> AskReference(CaseMemory& memory, const std::vector<std::string>& scalars);
  bool IsDone(int iteration, absl::Duration spent) const;
  absl::Status Conclude(MeasuredCase* measured);
  absl::Status TakeProfile();
  absl::Status Leave();

  const reward::v1::Case& test_case() const { return options_.task->cases(options_.case_index); }

  const Options options_;
  Contestant candidate_;
  Contestant baseline_;
  std::mt19937_64 order_{std::random_device()()};
  reward::v1::CaseTiming timing_;
  std::optional<worker::v1::GpuProfileResponse> profile_;
  reward::v1::Transfers transfers_;
  absl::Duration profile_duration_;
  // What a call of nothing costs by the judge's clock, and what honest calls may cost more.
  absl::Duration idle_;
  std::vector<std::string> scalars_;
};

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_MEASURE_CASE_TIMING_H_
