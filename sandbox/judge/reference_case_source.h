#ifndef CUDAPERF_SANDBOX_JUDGE_REFERENCE_CASE_SOURCE_H_
#define CUDAPERF_SANDBOX_JUDGE_REFERENCE_CASE_SOURCE_H_

#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "cudaperf/reward/v1/task.pb.h"
#include "sandbox/judge/case_source.h"
#include "sandbox/judge/expected_outputs.h"
#include "sandbox/judge/reference.h"
#include "sandbox/judge/warm_task.h"

namespace cudaperf::sandbox {

// Draws inputs and asks the reference for the answer. First calls, whose counters count, get inputs that nobody has seen:
// each from a seed of its own, some of them drawn ahead. Second calls get the epoch's, with answers that may be known
// already.
class ReferenceCaseSource : public CaseSource {
 public:
  // References and pointers are not owned; they outlive this.
  ReferenceCaseSource(const reward::v1::CudaTask& task, std::string task_id, const Seed& seed, Reference* reference,
                      ExpectedOutputs* known)
      : task_(task), task_id_(std::move(task_id)), seed_(seed), reference_(reference), known_(known) {}
  ReferenceCaseSource(WarmTask* warm, const Seed& seed, ExpectedOutputs* known)
      : ReferenceCaseSource(warm->task(), warm->task_id(), seed, &warm->reference(), known) {
    warm_ = warm;
  }

  absl::StatusOr<std::shared_ptr<const CaseDraw>> Draw(int case_index, int call) override;
  absl::StatusOr<FirstCall> DrawFirst(int case_index) override;

 private:
  const reward::v1::CudaTask& task_;
  const std::string task_id_;
  const Seed& seed_;
  Reference* const reference_;
  ExpectedOutputs* const known_;
  // Null where nothing is drawn ahead.
  WarmTask* warm_ = nullptr;
};

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_JUDGE_REFERENCE_CASE_SOURCE_H_
