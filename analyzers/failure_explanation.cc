#include "analyzers/failure_explanation.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace cudaperf::analyzers {
namespace {

using reward::v1::CaseResult;
using reward::v1::Evaluation;
using reward::v1::FeedbackItem;
using reward::v1::Finding;
using reward::v1::Mismatch;

constexpr size_t kMostQuoted = 120;
constexpr int kMostElements = 4;
constexpr double kSmallError = 1e-2;

FeedbackItem Item(const char* topic, int32_t line, std::string message) {
  FeedbackItem item;
  item.set_topic(topic);
  item.set_line(line);
  item.set_message(std::move(message));
  return item;
}

std::string_view SourceLineOf(std::string_view source, int32_t number) {
  for (int32_t line = 1; line < number; ++line) {
    const size_t end = source.find('\n');
    if (end == std::string_view::npos) return {};
    source.remove_prefix(end + 1);
  }
  return source.substr(0, source.find('\n'));
}

// Column of the first name in double quotes in the message, when the line has it; else 0.
size_t ColumnOfName(std::string_view line, std::string_view message) {
  const size_t open = message.find('"');
  if (open == std::string_view::npos) return 0;
  const size_t close = message.find('"', open + 1);
  if (close == std::string_view::npos || close == open + 1) return 0;
  const size_t at = line.find(message.substr(open + 1, close - open - 1));
  return at == std::string_view::npos ? 0 : at + 1;
}

// The source line below its number, and a caret under the column when it is known. Starts with a line break; empty
// without a line.
std::string Quote(std::string_view source, int32_t number, size_t column) {
  if (number <= 0) return "";
  std::string line(SourceLineOf(source, number));
  std::replace_if(
      line.begin(), line.end(), [](char c) { return c == '\t' || c == '\r'; }, ' ');
  if (line.find_first_not_of(' ') == std::string::npos) return "";
  const std::string margin = absl::StrFormat("%5d | ", number);
  std::string quote = absl::StrCat("\n", margin, line.substr(0, kMostQuoted));
  if (column > 0 && column <= std::min(line.size(), kMostQuoted) + 1) {
    absl::StrAppend(&quote, "\n", std::string(margin.size() - 2, ' '), "| ", std::string(column - 1, ' '), "^");
  }
  return quote;
}

std::string BaseName(const std::string& path) { return path.substr(path.rfind('/') + 1); }

bool IsCandidateFile(const std::string& file) { return file.empty() || BaseName(file) == "candidate.cu"; }

void ExplainDiagnostics(const reward::v1::Candidate& candidate, const Evaluation& evidence,
                        std::vector<FeedbackItem>& items) {
  for (const auto& [severity, word] :
       {std::pair(reward::v1::SEVERITY_ERROR, "error"), {reward::v1::SEVERITY_WARNING, "warning"}}) {
    for (const reward::v1::Diagnostic& diagnostic : evidence.compile().diagnostics()) {
      if (diagnostic.severity() != severity) continue;
      if (!IsCandidateFile(diagnostic.file())) {
        items.push_back(
            Item("compile", 0, absl::StrCat(word, " in ", BaseName(diagnostic.file()), ": ", diagnostic.message())));
        continue;
      }
      size_t column = std::max(diagnostic.column(), 0);
      if (column == 0) column = ColumnOfName(SourceLineOf(candidate.source(), diagnostic.line()), diagnostic.message());
      items.push_back(
          Item("compile", diagnostic.line(),
               absl::StrCat(word, ": ", diagnostic.message(), Quote(candidate.source(), diagnostic.line(), column))));
    }
  }
}

void ExplainRules(const reward::v1::Candidate& candidate, const Evaluation& evidence,
                  std::vector<FeedbackItem>& items) {
  for (const reward::v1::SourceFinding& finding : evidence.analysis().source_findings()) {
    if (!finding.rejects()) continue;
    items.push_back(
        Item("rule", finding.line(), absl::StrCat(finding.message(), Quote(candidate.source(), finding.line(), 0))));
  }
}

const char* KindWords(reward::v1::FindingKind kind) {
  switch (kind) {
    case reward::v1::FINDING_KIND_OUT_OF_BOUNDS:
      return "out of bounds";
    case reward::v1::FINDING_KIND_MISALIGNED:
      return "misaligned access";
    case reward::v1::FINDING_KIND_UNINITIALIZED_READ:
      return "read of memory that nobody wrote";
    case reward::v1::FINDING_KIND_READ_ONLY_WRITE:
      return "write to an input";
    case reward::v1::FINDING_KIND_SHARED_RACE:
      return "race in shared memory";
    case reward::v1::FINDING_KIND_BARRIER_DEADLOCK:
      return "barrier that not all threads reach";
    case reward::v1::FINDING_KIND_INSTRUCTION_BUDGET:
      return "instruction budget used up";
    case reward::v1::FINDING_KIND_BAD_LAUNCH:
      return "launch refused";
    case reward::v1::FINDING_KIND_DEVICE_TRAP:
      return "trap";
    case reward::v1::FINDING_KIND_STACK_OVERFLOW:
      return "stack overflow";
    case reward::v1::FINDING_KIND_API_ERROR:
      return "CUDA call failed";
    case reward::v1::FINDING_KIND_OUT_OF_MEMORY:
      return "out of device memory";
    default:
      return "finding";
  }
}

const char* Remedy(reward::v1::FindingKind kind) {
  switch (kind) {
    case reward::v1::FINDING_KIND_OUT_OF_BOUNDS:
      return "Guard the index against the buffer's extent; the grid may have more threads than elements";
    case reward::v1::FINDING_KIND_MISALIGNED:
      return "Vector types such as float4 need addresses that are multiples of their size";
    case reward::v1::FINDING_KIND_SHARED_RACE:
      return "Put __syncthreads() between one thread's write and another's access";
    case reward::v1::FINDING_KIND_BARRIER_DEADLOCK:
      return "Move __syncthreads() out of the branch or the early return";
    case reward::v1::FINDING_KIND_INSTRUCTION_BUDGET:
      return "Check that every loop ends, also for the smallest and the awkward sizes";
    default:
      return "";
  }
}

template <typename Numbers>
std::string Coordinates(const Numbers& numbers) {
  std::string text = "(";
  for (const int32_t number : numbers) absl::StrAppend(&text, text.size() > 1 ? ", " : "", number);
  return text + ")";
}

FeedbackItem ExplainFinding(const reward::v1::Candidate& candidate, const Finding& finding) {
  std::string message =
      absl::StrCat(KindWords(finding.kind()), finding.message().empty() ? "" : ": ", finding.message());
  if (!finding.kernel().empty()) absl::StrAppend(&message, ", kernel ", finding.kernel());
  if (!finding.block().empty()) absl::StrAppend(&message, ", block ", Coordinates(finding.block()));
  if (!finding.thread().empty()) absl::StrAppend(&message, ", thread ", Coordinates(finding.thread()));
  if (finding.count() > 1) absl::StrAppend(&message, ", ", finding.count(), " times");
  const std::string remedy = Remedy(finding.kind());
  absl::StrAppend(&message, remedy.empty() ? "" : ". ", remedy);
  const bool here = IsCandidateFile(finding.file());
  if (here) absl::StrAppend(&message, Quote(candidate.source(), finding.line(), 0));
  return Item(finding.fatal() ? "fault" : "checker", here ? finding.line() : 0, message);
}

std::string FirstIndex(const Mismatch& mismatch) {
  return mismatch.elements().empty() ? "?" : absl::StrCat(mismatch.elements(0).index());
}

std::string Ordinal(int64_t number) {
  const int64_t tail = number % 100;
  const char* suffix = tail >= 11 && tail <= 13 ? "th"
                       : number % 10 == 1       ? "st"
                       : number % 10 == 2       ? "nd"
                       : number % 10 == 3       ? "rd"
                                                : "th";
  return absl::StrCat(number, suffix);
}

std::string PatternWords(const Mismatch& mismatch) {
  switch (mismatch.pattern()) {
    case reward::v1::MISMATCH_PATTERN_ALL:
      return "every element is wrong";
    case reward::v1::MISMATCH_PATTERN_ALL_ZERO:
      return "every wrong element is zero";
    case reward::v1::MISMATCH_PATTERN_UNTOUCHED:
      return absl::StrCat("the wrong elements were never written, the first at index ", FirstIndex(mismatch));
    case reward::v1::MISMATCH_PATTERN_TAIL:
      return absl::StrCat("all wrong elements are in the tail, from index ", FirstIndex(mismatch), " on");
    case reward::v1::MISMATCH_PATTERN_HEAD:
      return absl::StrCat("all wrong elements are at the start, up to index ", mismatch.mismatch_count() - 1);
    case reward::v1::MISMATCH_PATTERN_STRIDED:
      return absl::StrCat("every ", Ordinal(mismatch.stride()), " element is wrong, from index ", FirstIndex(mismatch),
                          " on");
    case reward::v1::MISMATCH_PATTERN_NON_FINITE:
      return "the wrong elements are NaN or infinite";
    case reward::v1::MISMATCH_PATTERN_RUN:
      return absl::StrCat("the wrong elements are one run of ", mismatch.mismatch_count(), ", from index ",
                          FirstIndex(mismatch), " on");
    case reward::v1::MISMATCH_PATTERN_SCATTERED:
      return "the wrong elements are scattered";
    default:
      return "";
  }
}

// Only what the pattern itself supports.
std::string PatternHint(const Mismatch& mismatch) {
  switch (mismatch.pattern()) {
    case reward::v1::MISMATCH_PATTERN_UNTOUCHED:
      return "Check that the grid covers all elements and that the bound is not too tight";
    case reward::v1::MISMATCH_PATTERN_TAIL:
      return "Check the last, partly filled block and the remainder of vectorised or unrolled loops";
    case reward::v1::MISMATCH_PATTERN_STRIDED:
      return mismatch.stride() == 32 ? "One lane of each warp is wrong" : "";
    case reward::v1::MISMATCH_PATTERN_NON_FINITE:
      return "Check divisions, square roots and exponentials, and reads of unwritten memory";
    default:
      break;
  }
  const bool small = mismatch.max_relative_error() > 0 && mismatch.max_relative_error() < kSmallError;
  return small ? "The errors are small: look at precision and the order of summation, not at indices" : "";
}

FeedbackItem ExplainMismatch(const std::string& where, const Mismatch& mismatch) {
  std::string message = absl::StrCat(where, ": ", mismatch.mismatch_count(), " of ", mismatch.element_count(),
                                     " elements of ", mismatch.parameter(), " are wrong");
  const std::string pattern = PatternWords(mismatch);
  absl::StrAppend(&message, pattern.empty() ? "" : "; ", pattern, ". ");
  for (int i = 0; i < std::min(mismatch.elements_size(), kMostElements); ++i) {
    const Mismatch::Element& element = mismatch.elements(i);
    absl::StrAppend(&message, i > 0 ? ", " : "", mismatch.parameter(), "[", element.index(), "] = ", element.got());
    absl::StrAppend(&message, " (expected ", element.expected(), ")");
  }
  if (mismatch.max_absolute_error() > 0) {
    absl::StrAppend(&message, absl::StrFormat("; largest error %.3g absolute, %.3g relative",
                                              mismatch.max_absolute_error(), mismatch.max_relative_error()));
  }
  const std::string hint = PatternHint(mismatch);
  absl::StrAppend(&message, hint.empty() ? "" : ". ", hint);
  return Item("mismatch", 0, message);
}

bool Failed(const CaseResult& result) {
  return result.status() == reward::v1::CASE_STATUS_WRONG_RESULT ||
         result.status() == reward::v1::CASE_STATUS_MEMORY_FAULT ||
         result.status() == reward::v1::CASE_STATUS_CRASHED || result.status() == reward::v1::CASE_STATUS_TIMED_OUT;
}

const char* StatusWords(reward::v1::CaseStatus status) {
  switch (status) {
    case reward::v1::CASE_STATUS_CRASHED:
      return "the host process died";
    case reward::v1::CASE_STATUS_TIMED_OUT:
      return "did not finish in time";
    case reward::v1::CASE_STATUS_MEMORY_FAULT:
      return "the kernel was stopped";
    default:
      return "gave a wrong result";
  }
}

// Faults explain wrong elements, so they come first.
void ExplainCase(const reward::v1::CudaTask& task, const reward::v1::Candidate& candidate, const CaseResult& result,
                 std::vector<FeedbackItem>& items) {
  const std::string sizes = DescribeSizes(task, result.case_name());
  const std::string where =
      absl::StrCat("case ", result.case_name(), sizes.empty() ? "" : " (", sizes, sizes.empty() ? "" : ")");
  for (const bool fatal : {true, false}) {
    for (const Finding& finding : result.findings()) {
      if (finding.fatal() == fatal) items.push_back(ExplainFinding(candidate, finding));
    }
  }
  for (const Mismatch& mismatch : result.mismatches()) items.push_back(ExplainMismatch(where, mismatch));
  if (result.mismatches().empty()) {
    const char* topic = result.status() == reward::v1::CASE_STATUS_TIMED_OUT ? "timeout" : "fault";
    items.push_back(Item(
        topic, 0,
        absl::StrCat(where, ": ", StatusWords(result.status()), result.detail().empty() ? "" : ": ", result.detail())));
  }
}

// A fault explains wrong elements; a pattern shows among many elements, not in the smallest case.
bool TellsMore(const CaseResult* left, const CaseResult* right) {
  const bool left_fault = left->status() != reward::v1::CASE_STATUS_WRONG_RESULT;
  const bool right_fault = right->status() != reward::v1::CASE_STATUS_WRONG_RESULT;
  if (left_fault != right_fault) return left_fault;
  const auto elements = [](const CaseResult& result) {
    return result.mismatches().empty() ? int64_t{0} : result.mismatches(0).element_count();
  };
  return elements(*left) > elements(*right);
}

void ExplainCases(const reward::v1::CudaTask& task, const reward::v1::Candidate& candidate, const Evaluation& evidence,
                  std::vector<FeedbackItem>& items) {
  int passed = 0;
  std::vector<const CaseResult*> failed;
  for (const auto* report : {&evidence.screen(), &evidence.verify()}) {
    for (const CaseResult& result : report->cases()) {
      passed += result.status() == reward::v1::CASE_STATUS_PASSED ? 1 : 0;
      if (Failed(result)) failed.push_back(&result);
    }
  }
  std::string names;
  for (const CaseResult* result : failed) absl::StrAppend(&names, names.empty() ? "" : ", ", result->case_name());
  std::stable_sort(failed.begin(), failed.end(), TellsMore);
  for (const CaseResult* result : failed) ExplainCase(task, candidate, *result, items);
  if (failed.empty() || passed == 0) return;
  items.push_back(
      Item("cases", 0, absl::StrCat(passed, passed == 1 ? " case passes" : " cases pass", "; failing: ", names)));
}

}  // namespace

std::string DescribeSizes(const reward::v1::CudaTask& task, const std::string& case_name) {
  std::string sizes;
  for (const reward::v1::Case& entry : task.cases()) {
    if (entry.name() != case_name) continue;
    const std::map<std::string, int64_t> ordered(entry.sizes().begin(), entry.sizes().end());
    for (const auto& [name, value] : ordered) absl::StrAppend(&sizes, sizes.empty() ? "" : ", ", name, " = ", value);
    break;
  }
  return sizes;
}

std::vector<FeedbackItem> ExplainFailure(const reward::v1::CudaTask& task, const reward::v1::Candidate& candidate,
                                         const Evaluation& evidence) {
  std::vector<FeedbackItem> items;
  if (evidence.outcome() == reward::v1::OUTCOME_COMPILE_FAILED) ExplainDiagnostics(candidate, evidence, items);
  if (evidence.outcome() == reward::v1::OUTCOME_REJECTED) ExplainRules(candidate, evidence, items);
  ExplainCases(task, candidate, evidence, items);
  return items;
}

}  // namespace cudaperf::analyzers
