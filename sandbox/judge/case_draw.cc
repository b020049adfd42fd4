#include "sandbox/judge/case_draw.h"

#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "sandbox/judge/comparison.h"

namespace cudaperf::sandbox {

absl::StatusOr<CaseDraw> DrawInputs(const reward::v1::CudaTask& task, absl::string_view task_id, int case_index, int call,
                                    const Seed& seed, const StopCheck& must_stop) {
  if (case_index < 0 || case_index >= task.cases_size()) {
    return absl::InvalidArgumentError(absl::StrCat("there is no case ", case_index));
  }
  const reward::v1::Case& test_case = task.cases(case_index);
  absl::StatusOr<std::vector<ParameterLayout>> layout = LayOutCase(task, test_case);
  if (!layout.ok()) return layout.status();
  CaseDraw draw{.layout = *std::move(layout)};
  absl::StatusOr<std::vector<std::string>> inputs =
      GenerateInputs(task, test_case, draw.layout, seed, task_id, call, must_stop);
  if (!inputs.ok()) return inputs.status();
  draw.inputs = *std::move(inputs);
  return draw;
}

void SetExpected(std::vector<std::string> outputs, CaseDraw& draw) {
  draw.expected = std::move(outputs);
  draw.expected_rms.clear();
  draw.expected_is_finite.clear();
  for (size_t i = 0; i < draw.layout.size(); ++i) {
    draw.expected_rms.push_back(RootMeanSquare(draw.expected[i], draw.layout[i].dtype));
    draw.expected_is_finite.push_back(IsFinite(draw.expected[i], draw.layout[i].dtype));
  }
}

}  // namespace cudaperf::sandbox
