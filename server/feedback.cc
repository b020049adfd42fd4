#include "server/feedback.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "analyzers/failure_explanation.h"
#include "analyzers/performance_advice.h"

namespace cudaperf::server {
namespace {

using reward::v1::CaseTiming;
using reward::v1::Evaluation;
using reward::v1::Feedback;
using reward::v1::FeedbackItem;

constexpr int kMostTimedCases = 4;
// Less of a point than this says nothing.
constexpr size_t kShortestPoint = 48;
constexpr char kEllipsis[] = "...";

// Length of the UTF-8 sequence at `at`, 0 when there is no valid one.
size_t SequenceLength(const std::string& text, size_t at) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(at);
  if (lead < 0x80) return 1;
  const size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || at + length > text.size()) return 0;
  for (size_t i = 1; i < length; ++i) {
    if ((byte(at + i) & 0xc0) != 0x80) return 0;
  }
  // Overlong forms, surrogates, and what is beyond Unicode.
  const unsigned char second = byte(at + 1);
  const bool invalid = (lead == 0xe0 && second < 0xa0) || (lead == 0xed && second > 0x9f) ||
                       (lead == 0xf0 && second < 0x90) || (lead == 0xf4 && second > 0x8f);
  return invalid ? 0 : length;
}

// Source lines and compiler messages may hold any bytes: keeps valid UTF-8 and line breaks.
std::string Readable(const std::string& text) {
  std::string readable;
  readable.reserve(text.size());
  for (size_t at = 0; at < text.size();) {
    const size_t length = SequenceLength(text, at);
    const bool control =
        length == 1 && text[at] != '\n' && (static_cast<unsigned char>(text[at]) < ' ' || text[at] == 0x7f);
    if (length == 0 || control) {
      readable += text[at] == '\t' ? ' ' : '?';
      ++at;
    } else {
      readable.append(text, at, length);
      at += length;
    }
  }
  return readable;
}

// At most `limit` bytes of valid UTF-8, cut between characters.
std::string Shortened(const std::string& text, size_t limit) {
  if (text.size() <= limit) return text;
  size_t end = limit < sizeof kEllipsis ? 0 : limit - (sizeof kEllipsis - 1);
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
  return limit < sizeof kEllipsis ? "" : absl::StrCat(text.substr(0, end), kEllipsis);
}

int CountErrors(const Evaluation& evidence) {
  int errors = 0;
  for (const reward::v1::Diagnostic& diagnostic : evidence.compile().diagnostics()) {
    errors += diagnostic.severity() == reward::v1::SEVERITY_ERROR ? 1 : 0;
  }
  return errors;
}

std::string TimeWords(const google::protobuf::Duration& duration) {
  const double microseconds = static_cast<double>(duration.seconds()) * 1e6 + duration.nanos() * 1e-3;
  if (microseconds < 1e3) return absl::StrFormat("%.2f us", microseconds);
  return absl::StrFormat("%.2f ms", microseconds / 1e3);
}

std::string SpeedWords(double speedup) {
  if (speedup >= 1) return absl::StrFormat("%.2f times as fast as the baseline", speedup);
  return absl::StrFormat("%.2f times slower than the baseline", 1 / speedup);
}

std::string Limiters(const reward::v1::TimingReport& timing) {
  std::vector<std::string> seen;
  std::string words;
  for (const CaseTiming& timed : timing.cases()) {
    if (timed.limiter().empty() || std::find(seen.begin(), seen.end(), timed.limiter()) != seen.end()) continue;
    seen.push_back(timed.limiter());
    absl::StrAppend(&words, words.empty() ? "" : " and ", timed.limiter());
  }
  return words;
}

std::string PassedHeadline(const Evaluation& evidence) {
  const reward::v1::TimingReport& timing = evidence.timing();
  if (!evidence.has_timing() || !(timing.speedup() > 0)) return "Correct.";
  const std::string gpu = timing.gpu().empty() ? "" : absl::StrCat(" on ", timing.gpu());
  const bool modeled = timing.source() == reward::v1::TIMING_SOURCE_MODELED;
  const std::string limiters = Limiters(timing);
  return absl::StrCat("Correct, ", SpeedWords(timing.speedup()), modeled ? " (modelled" : " (measured", gpu, ")",
                      limiters.empty() ? "" : "; limited by ", limiters, ".");
}

// A sentence of the evidence behind one of ours.
std::string WithDetail(const char* sentence, const Evaluation& evidence) {
  return evidence.outcome_detail().empty() ? absl::StrCat(sentence, ".")
                                           : absl::StrCat(sentence, ": ", evidence.outcome_detail());
}

std::string Headline(const Evaluation& evidence) {
  switch (evidence.outcome()) {
    case reward::v1::OUTCOME_COMPILE_FAILED: {
      const int errors = CountErrors(evidence);
      if (errors == 0) return WithDetail("Does not compile", evidence);
      return absl::StrCat("Does not compile: ", errors, errors == 1 ? " error." : " errors.");
    }
    case reward::v1::OUTCOME_REJECTED:
      return WithDetail("Rejected", evidence);
    case reward::v1::OUTCOME_CRASHED:
      return WithDetail("The host process died before it answered", evidence);
    case reward::v1::OUTCOME_TIMED_OUT:
      return WithDetail("Did not finish in time", evidence);
    case reward::v1::OUTCOME_MEMORY_FAULT:
      return WithDetail("The kernel was stopped by a fault", evidence);
    case reward::v1::OUTCOME_WRONG_RESULT:
      return WithDetail("Wrong result", evidence);
    case reward::v1::OUTCOME_PASSED:
      return PassedHeadline(evidence);
    default:
      return WithDetail("Not judged", evidence);
  }
}

void AddTimes(const reward::v1::CudaTask& task, const reward::v1::TimingReport& timing,
              std::vector<FeedbackItem>& items) {
  for (int i = 0; i < std::min(timing.cases_size(), kMostTimedCases); ++i) {
    const CaseTiming& timed = timing.cases(i);
    const std::string sizes = analyzers::DescribeSizes(task, timed.case_name());
    FeedbackItem& item = items.emplace_back();
    item.set_topic("speed");
    std::string message =
        absl::StrCat("case ", timed.case_name(), sizes.empty() ? "" : " (", sizes, sizes.empty() ? "" : ")", ": ",
                     TimeWords(timed.candidate().median()), ", baseline ", TimeWords(timed.baseline().median()));
    if (!timed.limiter().empty()) absl::StrAppend(&message, "; limited by ", timed.limiter());
    if (timed.has_speed_of_light()) {
      absl::StrAppend(&message, "; the hardware's limit is ", TimeWords(timed.speed_of_light()));
    }
    item.set_message(std::move(message));
  }
}

// What limits a passing candidate comes before the figures that say so.
std::vector<FeedbackItem> Points(const reward::v1::CudaTask& task, const reward::v1::Candidate& candidate,
                                 const Evaluation& evidence) {
  if (evidence.outcome() != reward::v1::OUTCOME_PASSED) return analyzers::ExplainFailure(task, candidate, evidence);
  std::vector<FeedbackItem> items = analyzers::AdvisePerformance(task, evidence);
  AddTimes(task, evidence.timing(), items);
  return items;
}

std::string PointText(const FeedbackItem& item) {
  return absl::StrCat("- ", item.line() > 0 ? absl::StrCat("line ", item.line(), ": ") : "", item.message(), "\n");
}

bool SamePoint(const FeedbackItem& a, const FeedbackItem& b) {
  return a.line() == b.line() && a.message() == b.message();
}

}  // namespace

Feedback ComposeFeedback(const reward::v1::Task& task, const reward::v1::Candidate& candidate,
                         const Evaluation& evidence, int limit_bytes) {
  const size_t limit = static_cast<size_t>(std::max(limit_bytes, 0));
  Feedback feedback;
  std::string text = Shortened(absl::StrCat(Readable(Headline(evidence)), "\n"), limit);
  for (FeedbackItem& item : Points(task.cuda(), candidate, evidence)) {
    item.set_message(Readable(item.message()));
    // The same finding in several cases is one point.
    const bool said = std::any_of(feedback.items().begin(), feedback.items().end(),
                                  [&item](const FeedbackItem& other) { return SamePoint(other, item); });
    if (said) continue;
    const size_t left = limit - text.size();
    const std::string point = PointText(item);
    if (point.size() > left) {
      if (left < kShortestPoint) break;
      const size_t frame = point.size() - item.message().size();
      item.set_message(Shortened(item.message(), left - frame));
    }
    text += PointText(item);
    *feedback.add_items() = std::move(item);
    if (point.size() > left) break;
  }
  feedback.set_text(std::move(text));
  return feedback;
}

}  // namespace cudaperf::server
