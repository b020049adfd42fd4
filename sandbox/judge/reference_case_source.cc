#include "sandbox/judge/reference_case_source.h"

#include <optional>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace cudaperf::sandbox {

absl::StatusOr<std::shared_ptr<const CaseDraw>> ReferenceCaseSource::Draw(int case_index, int call) {
  const ExpectedOutputs::Key key{.task_id = task_id_, .case_index = case_index, .call = call};
  // Feedback tells some expected elements: an answer learned from it must not meet the same inputs in a call that counts.
  const bool is_fresh = call == 0;
  if (!is_fresh) {
    if (std::shared_ptr<const CaseDraw> known = known_->Find(key); known != nullptr) return known;
  }
  absl::StatusOr<CaseDraw> draw =
      DrawInputs(task_, task_id_, case_index, call, is_fresh ? RandomSeed() : seed_);
  if (!draw.ok()) return draw.status();
  absl::StatusOr<std::vector<std::string>> expected = reference_->Run(*draw, kPoison[call]);
  if (!expected.ok()) {
    return absl::Status(expected.status().code(),
                        absl::StrCat(expected.status().message(), " in case ", task_.cases(case_index).name()));
  }
  SetExpected(*std::move(expected), *draw);
  auto drawn = std::make_shared<const CaseDraw>(*std::move(draw));
  if (!is_fresh) known_->Insert(key, drawn);
  return drawn;
}

absl::StatusOr<FirstCall> ReferenceCaseSource::DrawFirst(int case_index) {
  if (warm_ != nullptr) {
    std::optional<FirstCall> ready = warm_->TakeFirst(case_index);
    if (ready.has_value()) return *std::move(ready);
  }
  return CaseSource::DrawFirst(case_index);
}

}  // namespace cudaperf::sandbox
