#include "server/outcome.h"

#include "absl/strings/str_cat.h"

namespace cudaperf::server {
namespace {

using reward::v1::CaseResult;
using reward::v1::CaseStatus;
using reward::v1::Outcome;

Outcome OutcomeOf(CaseStatus status) {
  switch (status) {
    case reward::v1::CASE_STATUS_WRONG_RESULT:
      return reward::v1::OUTCOME_WRONG_RESULT;
    case reward::v1::CASE_STATUS_MEMORY_FAULT:
      return reward::v1::OUTCOME_MEMORY_FAULT;
    case reward::v1::CASE_STATUS_CRASHED:
      return reward::v1::OUTCOME_CRASHED;
    case reward::v1::CASE_STATUS_TIMED_OUT:
      return reward::v1::OUTCOME_TIMED_OUT;
    default:
      return reward::v1::OUTCOME_UNSPECIFIED;
  }
}

std::string FirstError(const worker::v1::CompileResponse& response) {
  for (const reward::v1::Diagnostic& diagnostic : response.diagnostics()) {
    if (diagnostic.severity() != reward::v1::SEVERITY_ERROR) continue;
    if (diagnostic.line() == 0) return diagnostic.message();
    return absl::StrCat(diagnostic.file(), ":", diagnostic.line(), ": ", diagnostic.message());
  }
  return response.detail().empty() ? "the compiler refused the source" : response.detail();
}

std::string WithDetail(std::string sentence, const std::string& detail) {
  return detail.empty() ? sentence : absl::StrCat(sentence, ": ", detail);
}

}  // namespace

std::optional<Verdict> VerdictOfCompile(const worker::v1::CompileResponse& response) {
  const Outcome failed = reward::v1::OUTCOME_COMPILE_FAILED;
  switch (response.status()) {
    case worker::v1::COMPILE_STATUS_SUCCEEDED:
      return std::nullopt;
    case worker::v1::COMPILE_STATUS_TIMED_OUT:
      return Verdict{failed, WithDetail("compiling took longer than allowed", response.detail())};
    case worker::v1::COMPILE_STATUS_LIMIT_EXCEEDED:
      return Verdict{failed, WithDetail("compiling needed more than allowed", response.detail())};
    case worker::v1::COMPILE_STATUS_CRASHED:
      return Verdict{failed, WithDetail("the source crashed the compiler", response.detail())};
    default:
      return Verdict{failed, FirstError(response)};
  }
}

std::optional<Verdict> VerdictOfAnalysis(const reward::v1::AnalysisReport& report) {
  for (const reward::v1::SourceFinding& finding : report.source_findings()) {
    if (!finding.rejects()) continue;
    std::string where = finding.line() > 0 ? absl::StrCat("line ", finding.line(), ": ") : "";
    return Verdict{reward::v1::OUTCOME_REJECTED,
                   absl::StrCat(where, finding.message(), " (rule ", finding.rule(), ")")};
  }
  return std::nullopt;
}

std::optional<Verdict> VerdictOfCases(const reward::v1::ExecutionReport& report) {
  const CaseResult* decisive = nullptr;
  for (const CaseResult& result : report.cases()) {
    const Outcome outcome = OutcomeOf(result.status());
    if (outcome == reward::v1::OUTCOME_UNSPECIFIED) continue;
    if (decisive == nullptr) decisive = &result;
    if (outcome == reward::v1::OUTCOME_WRONG_RESULT) continue;
    decisive = &result;
    break;
  }
  if (decisive == nullptr) return std::nullopt;
  return Verdict{OutcomeOf(decisive->status()), WithDetail(absl::StrCat("case ", decisive->case_name()), decisive->detail())};
}

std::optional<std::string> UnsupportedFeature(const reward::v1::ExecutionReport& report) {
  for (const CaseResult& result : report.cases()) {
    if (result.status() == reward::v1::CASE_STATUS_NOT_SCREENED) return result.detail();
  }
  return std::nullopt;
}

}  // namespace cudaperf::server
