#ifndef CUDAPERF_SANDBOX_JUDGE_CASE_DRAW_H_
#define CUDAPERF_SANDBOX_JUDGE_CASE_DRAW_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "sandbox/judge/case_layout.h"

namespace cudaperf::sandbox {

// One drawing of a case: inputs and the reference's answer to them, by parameter. Never leaves the judge's memory but
// into buffers of a call.
struct CaseDraw {
  std::vector<ParameterLayout> layout;
  // A scalar's bytes, an IN or INOUT buffer's content; empty for OUT.
  std::vector<std::string> inputs;
  // An OUT or INOUT buffer's expected content, and its root mean square; empty and 0 otherwise.
  std::vector<std::string> expected;
  std::vector<double> expected_rms;

  int64_t size_bytes() const {
    int64_t total = 0;
    for (const std::string& content : inputs) total += static_cast<int64_t>(content.size());
    for (const std::string& content : expected) total += static_cast<int64_t>(content.size());
    return total;
  }
};

// Where drawings come from.
class CaseSource {
 public:
  virtual ~CaseSource() = default;

  // `call` 0 or 1: two drawings of the same case differ. FAILED_PRECONDITION when the reference fails: a fault of the
  // task.
  virtual absl::StatusOr<std::shared_ptr<const CaseDraw>> Draw(int case_index, int call) = 0;
};

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_JUDGE_CASE_DRAW_H_
