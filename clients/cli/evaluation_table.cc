#include "clients/cli/evaluation_table.h"

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/strip.h"
#include "clients/cli/text_table.h"

namespace cudaperf::clients {
namespace {

using reward::v1::Evaluation;

constexpr size_t kFirstLineWidth = 96;

std::string OutcomeName(const Evaluation& evaluation) {
  const std::string name = reward::v1::Outcome_Name(evaluation.outcome());
  return absl::AsciiStrToLower(absl::StripPrefix(name, "OUTCOME_"));
}

// `speed +0.52`: what each term adds. Absent terms are left out here; the long form names them.
std::string TermsInShort(const reward::v1::Reward& reward) {
  std::string text;
  for (const reward::v1::RewardTerm& term : reward.terms()) {
    if (!term.absent_reason().empty()) continue;
    // Adding zero turns a negative zero into a plain one.
    absl::StrAppendFormat(&text, "%s%s %+.2f", text.empty() ? "" : ", ", term.name(), term.contribution() + 0.0);
  }
  return text;
}

std::string Speedup(const Evaluation& evaluation) {
  return evaluation.has_timing() ? absl::StrFormat("%.2fx", evaluation.timing().speedup()) : "-";
}

std::string Percent(bool is_known, double fraction) {
  return is_known ? absl::StrFormat("%.0f %%", 100 * fraction) : "-";
}

std::string FirstLine(const Evaluation& evaluation) {
  const std::string& text = evaluation.feedback().text();
  std::string line = text.substr(0, text.find('\n'));
  if (line.size() <= kFirstLineWidth) return line;
  size_t end = kFirstLineWidth - 3;
  while (end > 0 && (line[end] & 0xc0) == 0x80) --end;
  return line.substr(0, end) + "...";
}

double Seconds(const google::protobuf::Duration& duration) { return duration.seconds() + duration.nanos() * 1e-9; }

void AddTimes(const Evaluation& evaluation, std::vector<std::vector<std::string>>* rows) {
  const bool is_modeled = evaluation.timing().source() == reward::v1::TIMING_SOURCE_MODELED;
  for (const reward::v1::CaseTiming& timing : evaluation.timing().cases()) {
    rows->push_back(
        {absl::StrCat("time, case ", timing.case_name()),
         absl::StrFormat("%.2f us, baseline %.2f us, %.2fx, bound by %s", 1e6 * Seconds(timing.candidate().median()),
                         1e6 * Seconds(timing.baseline().median()), timing.speedup(), timing.limiter())});
  }
  if (evaluation.has_timing()) {
    rows->push_back(
        {"times are", absl::StrCat(is_modeled ? "modelled for " : "measured on ", evaluation.timing().gpu())});
  }
}

void AddReward(const reward::v1::Reward& reward, std::vector<std::vector<std::string>>* rows) {
  rows->push_back({"reward", absl::StrFormat("%.4f (%s)", reward.value(), reward.policy())});
  for (const reward::v1::RewardTerm& term : reward.terms()) {
    const std::string label = absl::StrCat("  ", term.name());
    if (!term.absent_reason().empty()) {
      rows->push_back({label, absl::StrCat("absent: ", term.absent_reason())});
    } else {
      rows->push_back(
          {label, absl::StrFormat("%+.4f = %g x %.4f", term.contribution() + 0.0, term.weight(), term.value())});
    }
  }
}

}  // namespace

std::string DescribeEvaluation(const NamedEvaluation& named) {
  const Evaluation& evaluation = named.evaluation;
  std::vector<std::vector<std::string>> rows = {{"candidate", named.name}, {"outcome", OutcomeName(evaluation)}};
  if (!evaluation.outcome_detail().empty()) rows.push_back({"", evaluation.outcome_detail()});
  AddReward(evaluation.reward(), &rows);
  AddTimes(evaluation, &rows);
  if (evaluation.has_profile()) {
    rows.push_back({"coalescing", Percent(true, evaluation.profile().coalescing())});
    rows.push_back({"occupancy", Percent(true, evaluation.profile().occupancy())});
    rows.push_back({"divergent branches", Percent(true, evaluation.profile().divergence())});
  }
  rows.push_back(
      {"evaluation", absl::StrCat(evaluation.evaluation_id(), evaluation.provenance().cache_hit() ? " (cached)" : "")});
  return absl::StrCat(RenderTable(rows), "feedback\n", evaluation.feedback().text(), "\n");
}

std::string TabulateEvaluations(const std::vector<NamedEvaluation>& evaluations) {
  std::vector<std::vector<std::string>> rows = {
      {"candidate", "outcome", "reward", "terms", "speedup", "coalescing", "occupancy", "feedback"}};
  for (const NamedEvaluation& named : evaluations) {
    const Evaluation& evaluation = named.evaluation;
    const bool has_profile = evaluation.has_profile();
    rows.push_back({named.name, OutcomeName(evaluation), absl::StrFormat("%+.3f", evaluation.reward().value()),
                    TermsInShort(evaluation.reward()), Speedup(evaluation),
                    Percent(has_profile, evaluation.profile().coalescing()),
                    Percent(has_profile, evaluation.profile().occupancy()), FirstLine(evaluation)});
  }
  return RenderTable(rows);
}

}  // namespace cudaperf::clients
