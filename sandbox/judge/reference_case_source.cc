#include "sandbox/judge/reference_case_source.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "sandbox/judge/call_buffers.h"
#include "sandbox/judge/comparison.h"
#include "sandbox/judge/input_generator.h"

namespace cudaperf::sandbox {

absl::StatusOr<std::shared_ptr<const CaseDraw>> ReferenceCaseSource::Draw(int case_index, int call) {
  if (case_index < 0 || case_index >= task_.cases_size()) {
    return absl::InvalidArgumentError(absl::StrCat("there is no case ", case_index));
  }
  const ExpectedOutputs::Key key{.task_id = task_id_, .case_index = case_index, .call = call};
  // Feedback tells some expected elements: an answer learned from it must not meet the same inputs in a call that counts.
  const bool is_fresh = call == 0;
  if (!is_fresh) {
    if (std::shared_ptr<const CaseDraw> known = known_->Find(key); known != nullptr) return known;
  }

  const reward::v1::Case& test_case = task_.cases(case_index);
  auto draw = std::make_shared<CaseDraw>();
  absl::StatusOr<std::vector<ParameterLayout>> layout = LayOutCase(task_, test_case);
  if (!layout.ok()) return layout.status();
  draw->layout = *std::move(layout);
  absl::StatusOr<std::vector<std::string>> inputs =
      GenerateInputs(task_, test_case, draw->layout, is_fresh ? RandomSeed() : seed_, task_id_, call);
  if (!inputs.ok()) return inputs.status();
  draw->inputs = *std::move(inputs);
  absl::StatusOr<std::vector<std::string>> expected = reference_->Run(*draw, kPoison[call]);
  if (!expected.ok()) {
    return absl::Status(expected.status().code(),
                        absl::StrCat(expected.status().message(), " in case ", test_case.name()));
  }
  draw->expected = *std::move(expected);
  for (size_t i = 0; i < draw->layout.size(); ++i) {
    draw->expected_rms.push_back(RootMeanSquare(draw->expected[i], draw->layout[i].dtype));
  }
  if (!is_fresh) known_->Insert(key, draw);
  return draw;
}

}  // namespace cudaperf::sandbox
