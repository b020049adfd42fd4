#include "server/outcome.h"

#include <utility>
#include <vector>

#include "gtest/gtest.h"

namespace cudaperf::server {
namespace {

reward::v1::ExecutionReport ReportWith(const std::vector<reward::v1::CaseStatus>& statuses) {
  reward::v1::ExecutionReport report;
  for (const auto status : statuses) {
    reward::v1::CaseResult* result = report.add_cases();
    result->set_case_name("c" + std::to_string(report.cases_size()));
    result->set_status(status);
    result->set_detail("d" + std::to_string(report.cases_size()));
  }
  return report;
}

TEST(OutcomeTest, EveryFailedCaseHasItsOutcome) {
  const std::vector<std::pair<reward::v1::CaseStatus, reward::v1::Outcome>> expected = {
      {reward::v1::CASE_STATUS_WRONG_RESULT, reward::v1::OUTCOME_WRONG_RESULT},
      {reward::v1::CASE_STATUS_MEMORY_FAULT, reward::v1::OUTCOME_MEMORY_FAULT},
      {reward::v1::CASE_STATUS_CRASHED, reward::v1::OUTCOME_CRASHED},
      {reward::v1::CASE_STATUS_TIMED_OUT, reward::v1::OUTCOME_TIMED_OUT}};
  for (const auto& [status, outcome] : expected) {
    const auto verdict = VerdictOfCases(ReportWith({reward::v1::CASE_STATUS_PASSED, status}));
    ASSERT_TRUE(verdict.has_value());
    EXPECT_EQ(verdict->outcome, outcome);
    EXPECT_EQ(verdict->detail, "case c2: d2");
  }
}

TEST(OutcomeTest, CasesThatCouldNotBeScreenedAreNoFailure) {
  const auto report = ReportWith({reward::v1::CASE_STATUS_PASSED, reward::v1::CASE_STATUS_NOT_SCREENED});
  EXPECT_FALSE(VerdictOfCases(report).has_value());
  EXPECT_EQ(UnsupportedFeature(report), "d2");
}

TEST(OutcomeTest, AFaultOutranksAWrongResultBeforeIt) {
  const auto verdict = VerdictOfCases(
      ReportWith({reward::v1::CASE_STATUS_WRONG_RESULT, reward::v1::CASE_STATUS_MEMORY_FAULT}));
  ASSERT_TRUE(verdict.has_value());
  EXPECT_EQ(verdict->outcome, reward::v1::OUTCOME_MEMORY_FAULT);
  EXPECT_EQ(verdict->detail, "case c2: d2");
}

TEST(OutcomeTest, CompilerLimitsAreTheCandidatesFailure) {
  for (const auto status : {worker::v1::COMPILE_STATUS_FAILED, worker::v1::COMPILE_STATUS_TIMED_OUT,
                            worker::v1::COMPILE_STATUS_LIMIT_EXCEEDED, worker::v1::COMPILE_STATUS_CRASHED}) {
    worker::v1::CompileResponse response;
    response.set_status(status);
    response.set_detail("why");
    const auto verdict = VerdictOfCompile(response);
    ASSERT_TRUE(verdict.has_value());
    EXPECT_EQ(verdict->outcome, reward::v1::OUTCOME_COMPILE_FAILED);
    EXPECT_NE(verdict->detail.find("why"), std::string::npos);
  }
}

TEST(OutcomeTest, FirstErrorIsTheCompilersSentence) {
  worker::v1::CompileResponse response;
  response.set_status(worker::v1::COMPILE_STATUS_FAILED);
  response.add_diagnostics()->set_severity(reward::v1::SEVERITY_WARNING);
  reward::v1::Diagnostic* error = response.add_diagnostics();
  error->set_severity(reward::v1::SEVERITY_ERROR);
  error->set_file("candidate.cu");
  error->set_line(7);
  error->set_message("expected a `;`");
  EXPECT_EQ(VerdictOfCompile(response)->detail, "candidate.cu:7: expected a `;`");
}

TEST(OutcomeTest, OnlyRulesThatRejectEndTheWalk) {
  reward::v1::AnalysisReport report;
  report.add_source_findings()->set_message("printf in a kernel");
  EXPECT_FALSE(VerdictOfAnalysis(report).has_value());
  reward::v1::SourceFinding* finding = report.add_source_findings();
  finding->set_rejects(true);
  finding->set_line(3);
  finding->set_rule("incbin");
  finding->set_message("reads a host file");
  EXPECT_EQ(VerdictOfAnalysis(report)->outcome, reward::v1::OUTCOME_REJECTED);
  EXPECT_EQ(VerdictOfAnalysis(report)->detail, "line 3: reads a host file (rule incbin)");
}

}  // namespace
}  // namespace cudaperf::server
