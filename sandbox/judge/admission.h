#ifndef CUDAPERF_SANDBOX_JUDGE_ADMISSION_H_
#define CUDAPERF_SANDBOX_JUDGE_ADMISSION_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cudaperf/reward/v1/task.pb.h"
#include "sandbox/judge/case_source.h"
#include "sandbox/judge/interruption.h"
#include "sandbox/judge/reference.h"

namespace cudaperf::sandbox {

// Decides whether a task can tell a right answer from none. Over its SCREEN and MODEL cases, the reference must answer
// twice the same, finitely unless the task allows otherwise, and an all-zero output, a constant one, a copy of an
// input, and untouched buffers must each be found wrong in some case.
class Admission {
 public:
  // Nothing is owned; everything outlives this. `interruption` may be null.
  Admission(const reward::v1::CudaTask& task, CaseSource* source, Reference* reference, Interruption* interruption)
      : task_(task), source_(source), reference_(reference), interruption_(interruption) {}

  // Why the task is refused, in one sentence; empty when it is admitted. A non-OK status is an interruption or a fault
  // of ours.
  absl::StatusOr<std::string> FindRefusal();

 private:
  // Why the reference itself cannot be trusted with one drawing; empty when it can.
  absl::StatusOr<std::string> CheckReference(const CaseDraw& draw, const std::string& case_name);
  // Strikes out the fabricated answers that fail this drawing.
  void StrikeOut(const CaseDraw& draw, int call);
  bool Passes(const CaseDraw& draw, const std::vector<std::string>& outputs) const;

  // An answer made without looking at the task.
  struct Fabrication {
    enum class Kind { kZero, kOne, kUntouched, kCopy } kind;
    int parameter = 0;  // kCopy: of which input
    bool passes_all = true;
  };
  std::vector<std::string> Fabricate(const Fabrication& fabrication, const CaseDraw& draw, int call) const;
  std::string Describe(const Fabrication& fabrication) const;

  const reward::v1::CudaTask& task_;
  CaseSource* const source_;
  Reference* const reference_;
  Interruption* const interruption_;
  std::vector<Fabrication> fabrications_;
};

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_JUDGE_ADMISSION_H_
