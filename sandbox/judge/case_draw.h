#ifndef CUDAPERF_SANDBOX_JUDGE_CASE_DRAW_H_
#define CUDAPERF_SANDBOX_JUDGE_CASE_DRAW_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "cudaperf/reward/v1/task.pb.h"
#include "sandbox/judge/case_layout.h"
#include "sandbox/judge/input_generator.h"
#include "sandbox/judge/random_stream.h"

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
  // Whether all of it is finite.
  std::vector<bool> expected_is_finite;

  int64_t size_bytes() const {
    int64_t total = 0;
    for (const std::string& content : inputs) total += static_cast<int64_t>(content.size());
    for (const std::string& content : expected) total += static_cast<int64_t>(content.size());
    return total;
  }
};

// A drawing whose answer is not known yet. INVALID_ARGUMENT when there is no such case; otherwise as GenerateInputs.
absl::StatusOr<CaseDraw> DrawInputs(const reward::v1::CudaTask& task, absl::string_view task_id, int case_index, int call,
                                    const Seed& seed, const StopCheck& must_stop = {});

// Completes a drawing by the reference's answer.
void SetExpected(std::vector<std::string> outputs, CaseDraw& draw);

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_JUDGE_CASE_DRAW_H_
