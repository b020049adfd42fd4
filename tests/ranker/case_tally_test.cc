#include "ranker/case_tally.h"

#include <gtest/gtest.h>

#include <initializer_list>

namespace cudaperf::ranker {
namespace {

double FractionOf(std::initializer_list<reward::v1::CaseStatus> statuses) {
  reward::v1::ExecutionReport report;
  for (const reward::v1::CaseStatus status : statuses) report.add_cases()->set_status(status);
  CaseTally tally;
  tally.Add(report);
  return tally.passed_fraction();
}

TEST(CaseTallyTest, SkippedCasesAreNotPassed) {
  EXPECT_DOUBLE_EQ(FractionOf({reward::v1::CASE_STATUS_PASSED, reward::v1::CASE_STATUS_TIMED_OUT,
                               reward::v1::CASE_STATUS_SKIPPED, reward::v1::CASE_STATUS_SKIPPED}),
                   0.25);
}

TEST(CaseTallyTest, CasesThatTheDeviceCouldNotRunDoNotCount) {
  EXPECT_DOUBLE_EQ(FractionOf({reward::v1::CASE_STATUS_PASSED, reward::v1::CASE_STATUS_NOT_SCREENED}), 1.0);
}

TEST(CaseTallyTest, WithoutCasesNothingIsPassed) { EXPECT_DOUBLE_EQ(FractionOf({}), 0.0); }

TEST(CaseTallyTest, ReportsAddUp) {
  reward::v1::ExecutionReport report;
  report.add_cases()->set_status(reward::v1::CASE_STATUS_PASSED);
  report.add_cases()->set_status(reward::v1::CASE_STATUS_WRONG_RESULT);
  CaseTally tally;
  tally.Add(report);
  tally.Add(report);
  EXPECT_EQ(tally.passed, 2);
  EXPECT_EQ(tally.failed, 2);
}

}  // namespace
}  // namespace cudaperf::ranker
