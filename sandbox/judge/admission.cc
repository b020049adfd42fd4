#include "sandbox/judge/admission.h"

#include <cstring>
#include <memory>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "sandbox/judge/call_buffers.h"
#include "sandbox/judge/comparison.h"
#include "sandbox/judge/element_access.h"

namespace cudaperf::sandbox {
namespace {

std::string Ones(const ParameterLayout& layout) {
  return VisitElement(layout.dtype, [&layout](auto element) {
    const auto one = decltype(element)::ToStored(1);
    std::string bytes(layout.size_bytes, '\0');
    for (int64_t i = 0; i < layout.element_count; ++i) std::memcpy(bytes.data() + i * sizeof(one), &one, sizeof(one));
    return bytes;
  });
}

}  // namespace

absl::StatusOr<std::string> Admission::FindRefusal() {
  fabrications_ = {
      {.kind = Fabrication::Kind::kZero}, {.kind = Fabrication::Kind::kOne}, {.kind = Fabrication::Kind::kUntouched}};
  for (int i = 0; i < task_.parameters_size(); ++i) {
    const reward::v1::Parameter& parameter = task_.parameters(i);
    const bool is_input = parameter.has_buffer() && parameter.buffer().direction() != reward::v1::DIRECTION_OUT;
    if (is_input) fabrications_.push_back({.kind = Fabrication::Kind::kCopy, .parameter = i});
  }
  for (int index = 0; index < task_.cases_size(); ++index) {
    if (task_.cases(index).role() == reward::v1::CASE_ROLE_FULL) continue;
    for (int call = 0; call < 2; ++call) {
      if (interruption_ != nullptr) {
        if (absl::Status status = interruption_->Check(); !status.ok()) return status;
      }
      const absl::StatusOr<std::shared_ptr<const CaseDraw>> draw = source_->Draw(index, call);
      if (absl::IsFailedPrecondition(draw.status())) return std::string(draw.status().message());
      if (!draw.ok()) return draw.status();
      absl::StatusOr<std::string> refusal = CheckReference(**draw, task_.cases(index).name());
      if (!refusal.ok() || !refusal->empty()) return refusal;
      StrikeOut(**draw, call);
    }
  }
  for (const Fabrication& fabrication : fabrications_) {
    if (!fabrication.passes_all) continue;
    return absl::StrCat(Describe(fabrication),
                        " passes every case, so a pass would prove nothing: change the inputs, the sizes "
                        "or the tolerance");
  }
  return std::string();
}

absl::StatusOr<std::string> Admission::CheckReference(const CaseDraw& draw, const std::string& case_name) {
  // Another poison than the drawing's own: shows outputs that the reference leaves as they were.
  for (uint8_t poison : kPoison) {
    const absl::StatusOr<std::vector<std::string>> outputs = reference_->Run(draw, poison);
    if (absl::IsFailedPrecondition(outputs.status())) return std::string(outputs.status().message());
    if (!outputs.ok()) return outputs.status();
    for (size_t i = 0; i < draw.layout.size(); ++i) {
      if ((*outputs)[i] == draw.expected[i]) continue;
      return absl::StrCat(
          "the reference gives different answers to the same inputs: ", task_.parameters(static_cast<int>(i)).name(),
          " in case ", case_name, " (does it write every element?)");
    }
  }
  for (size_t i = 0; i < draw.layout.size(); ++i) {
    const reward::v1::Parameter& parameter = task_.parameters(static_cast<int>(i));
    if (ToleranceOf(task_, parameter).allow_non_finite || IsFinite(draw.expected[i], draw.layout[i].dtype)) continue;
    return absl::StrCat("the reference's ", parameter.name(), " is not finite in case ", case_name,
                        ": change the inputs, or set allow_non_finite");
  }
  return std::string();
}

void Admission::StrikeOut(const CaseDraw& draw, int call) {
  for (Fabrication& fabrication : fabrications_) {
    if (fabrication.passes_all) fabrication.passes_all = Passes(draw, Fabricate(fabrication, draw, call));
  }
}

bool Admission::Passes(const CaseDraw& draw, const std::vector<std::string>& outputs) const {
  for (size_t i = 0; i < draw.layout.size(); ++i) {
    if (!draw.layout[i].is_output()) continue;
    const Comparison comparison{.got = outputs[i],
                                .expected = draw.expected[i],
                                .type = draw.layout[i].dtype,
                                .tolerance = ToleranceOf(task_, task_.parameters(static_cast<int>(i))),
                                .expected_rms = draw.expected_rms[i]};
    if (Compare(comparison).has_value()) return false;
  }
  return true;
}

std::vector<std::string> Admission::Fabricate(const Fabrication& fabrication, const CaseDraw& draw, int call) const {
  std::vector<std::string> outputs(draw.layout.size());
  for (size_t i = 0; i < draw.layout.size(); ++i) {
    const ParameterLayout& layout = draw.layout[i];
    if (!layout.is_output()) continue;
    switch (fabrication.kind) {
      case Fabrication::Kind::kZero:
        outputs[i] = std::string(layout.size_bytes, '\0');
        break;
      case Fabrication::Kind::kOne:
        outputs[i] = Ones(layout);
        break;
      case Fabrication::Kind::kUntouched:
        outputs[i] =
            layout.is_input() ? draw.inputs[i] : std::string(layout.size_bytes, static_cast<char>(kPoison[call]));
        break;
      case Fabrication::Kind::kCopy: {
        const ParameterLayout& input = draw.layout[fabrication.parameter];
        const bool fits = input.dtype == layout.dtype && input.element_count == layout.element_count;
        outputs[i] = fits ? draw.inputs[fabrication.parameter] : std::string(layout.size_bytes, '\0');
        break;
      }
    }
  }
  return outputs;
}

std::string Admission::Describe(const Fabrication& fabrication) const {
  switch (fabrication.kind) {
    case Fabrication::Kind::kZero:
      return "an all-zero output";
    case Fabrication::Kind::kOne:
      return "an output of ones";
    case Fabrication::Kind::kUntouched:
      return "an untouched output";
    case Fabrication::Kind::kCopy:
      return absl::StrCat("a copy of ", task_.parameters(fabrication.parameter).name());
  }
  return "an invented output";
}

}  // namespace cudaperf::sandbox
