#ifndef CUDAPERF_SANDBOX_JUDGE_CASE_SOURCE_H_
#define CUDAPERF_SANDBOX_JUDGE_CASE_SOURCE_H_

#include <memory>
#include <utility>

#include "absl/status/statusor.h"
#include "sandbox/judge/call_buffers.h"
#include "sandbox/judge/case_draw.h"

namespace cudaperf::sandbox {

// The drawing of a case's first call, and buffers prepared from it.
struct FirstCall {
  std::shared_ptr<const CaseDraw> draw;
  CallBuffers buffers;
};

// Where drawings come from.
class CaseSource {
 public:
  virtual ~CaseSource() = default;

  // `call` 0 or 1: two drawings of the same case differ. FAILED_PRECONDITION when the reference fails: a fault of the
  // task.
  virtual absl::StatusOr<std::shared_ptr<const CaseDraw>> Draw(int case_index, int call) = 0;

  // Draws call 0, with buffers that hold it.
  virtual absl::StatusOr<FirstCall> DrawFirst(int case_index) {
    absl::StatusOr<std::shared_ptr<const CaseDraw>> draw = Draw(case_index, 0);
    if (!draw.ok()) return draw.status();
    return PrepareFirst(*std::move(draw));
  }

  // RESOURCE_EXHAUSTED without memory.
  static absl::StatusOr<FirstCall> PrepareFirst(std::shared_ptr<const CaseDraw> draw) {
    absl::StatusOr<CallBuffers> buffers = CallBuffers::Create(draw->layout);
    if (!buffers.ok()) return buffers.status();
    buffers->Prepare(*draw, kPoison[0]);
    return FirstCall{std::move(draw), *std::move(buffers)};
  }
};

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_JUDGE_CASE_SOURCE_H_
