#include "server/pipeline_evaluator.h"

#include <memory>
#include <vector>

#include "analyzers/gpu_sheet.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/server/fake_compiler.h"
#include "tests/server/fake_judge.h"
#include "tests/server/saxpy_task.h"
#include "tests/server/test_settings.h"

namespace cudaperf::server {
namespace {

using reward::v1::Evaluation;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Rejects every source that says so.
class FakeAnalyzer : public analyzers::Analyzer {
 public:
  std::string_view name() const override { return "fake"; }
  absl::StatusOr<reward::v1::AnalysisReport> Analyze(const analyzers::Subject& subject) const override {
    reward::v1::AnalysisReport report;
    if (subject.candidate.source().find("forbidden") != std::string::npos) {
      report.add_source_findings()->set_rejects(true);
      report.mutable_source_findings(0)->set_message("forbidden");
    }
    return report;
  }
};

class PipelineEvaluatorTest : public ::testing::Test {
 protected:
  absl::StatusOr<Evaluation> Walk(sandbox::Compiler& compiler, sandbox::Judge& judge,
                                  const reward::v1::Candidate& candidate = SaxpyCandidate()) {
    PipelineEvaluator::Options options;
    options.config = TestSettings();
    options.identity.device = "emulated";
    options.build = {"sm_90", absl::Seconds(10)};
    options.gpu = *analyzers::FindGpuSheet("h200");
    options.analyzers.push_back(std::make_unique<FakeAnalyzer>());
    options.compiler = &compiler;
    options.judge = &judge;
    PipelineEvaluator evaluator(std::move(options));
    EvaluationRequest request;
    request.evaluation_id = "e1";
    request.task = Registered();
    request.candidate = candidate;
    request.reward_policy = "cudaperf-v1";
    return evaluator.Evaluate(request, scope_);
  }

  // The baseline passes its cases with the same counters as the fake judge's candidates.
  static std::shared_ptr<const RegisteredTask> Registered() {
    auto task = std::make_shared<RegisteredTask>();
    task->task_id = "sha256:task";
    task->task = SaxpyTask();
    worker::v1::ExamineRequest request;
    *request.mutable_task() = task->task.cuda();
    request.add_case_indices(2);
    *task->baseline_verify.mutable_cases() = FakeJudge::AllPassed(request).cases();
    return task;
  }

  static std::vector<std::string> StagesOf(const Evaluation& evaluation) {
    std::vector<std::string> stages;
    for (const auto& stage : evaluation.provenance().stage_durations()) stages.push_back(stage.stage());
    return stages;
  }

  sandbox::CallScope scope_;
  FakeCompiler compiler_;
  FakeJudge judge_;
};

TEST_F(PipelineEvaluatorTest, PassingCandidateWalksTheWholeRoadInOrder) {
  const auto evaluation = Walk(compiler_, judge_);
  ASSERT_TRUE(evaluation.ok()) << evaluation.status();
  EXPECT_EQ(evaluation->outcome(), reward::v1::OUTCOME_PASSED);
  EXPECT_THAT(StagesOf(*evaluation), ElementsAre("admit", "compile", "analyze", "screen", "verify", "time", "profile",
                                                 "rank", "reward", "feedback"));
  EXPECT_EQ(evaluation->screen().cases_size(), 2);
  EXPECT_EQ(evaluation->verify().cases_size(), 1);
  EXPECT_EQ(evaluation->timing().source(), reward::v1::TIMING_SOURCE_MODELED);
  EXPECT_NEAR(evaluation->timing().speedup(), 1.0, 1e-9);
  EXPECT_EQ(evaluation->reward().policy(), "cudaperf-v1");
  EXPECT_FALSE(evaluation->feedback().text().empty());
  EXPECT_FALSE(evaluation->rank().absent_reason().empty());
}

TEST_F(PipelineEvaluatorTest, RejectedCandidateNeverTouchesTheDevice) {
  const auto evaluation = Walk(compiler_, judge_, SaxpyCandidate("forbidden"));
  ASSERT_TRUE(evaluation.ok()) << evaluation.status();
  EXPECT_EQ(evaluation->outcome(), reward::v1::OUTCOME_REJECTED);
  EXPECT_EQ(judge_.examine_count, 0);
  EXPECT_FALSE(evaluation->has_screen());
  EXPECT_THAT(StagesOf(*evaluation), ElementsAre("admit", "compile", "analyze", "reward", "feedback"));
}

TEST_F(PipelineEvaluatorTest, CompileErrorEndsTheWalkWithItsReward) {
  FakeCompiler compiler([](const auto&, const auto&) {
    worker::v1::CompileResponse response;
    response.set_status(worker::v1::COMPILE_STATUS_FAILED);
    return response;
  });
  const auto evaluation = Walk(compiler, judge_);
  ASSERT_TRUE(evaluation.ok()) << evaluation.status();
  EXPECT_EQ(evaluation->outcome(), reward::v1::OUTCOME_COMPILE_FAILED);
  EXPECT_DOUBLE_EQ(evaluation->reward().value(), -3.0);
  EXPECT_FALSE(evaluation->has_analysis());
}

TEST_F(PipelineEvaluatorTest, LaunchThatDoesNotFitIsRejected) {
  reward::v1::Candidate candidate;
  candidate.set_source("// cudaperf: launch saxpy<<<1, 256>>>(n, x)");
  const auto evaluation = Walk(compiler_, judge_, candidate);
  ASSERT_TRUE(evaluation.ok()) << evaluation.status();
  EXPECT_EQ(evaluation->outcome(), reward::v1::OUTCOME_REJECTED);
  EXPECT_EQ(judge_.examine_count, 0);
}

TEST_F(PipelineEvaluatorTest, DirectiveThatDoesNotParseIsRejectedBeforeCompiling) {
  reward::v1::Candidate candidate;
  candidate.set_source("// cudaperf: launch saxpy<<<1");
  const auto evaluation = Walk(compiler_, judge_, candidate);
  ASSERT_TRUE(evaluation.ok()) << evaluation.status();
  EXPECT_EQ(evaluation->outcome(), reward::v1::OUTCOME_REJECTED);
  EXPECT_EQ(compiler_.call_count, 0);
}

TEST_F(PipelineEvaluatorTest, EveryFailedCaseEndsTheWalkWithItsOutcome) {
  const std::pair<reward::v1::CaseStatus, reward::v1::Outcome> expected[] = {
      {reward::v1::CASE_STATUS_WRONG_RESULT, reward::v1::OUTCOME_WRONG_RESULT},
      {reward::v1::CASE_STATUS_MEMORY_FAULT, reward::v1::OUTCOME_MEMORY_FAULT},
      {reward::v1::CASE_STATUS_CRASHED, reward::v1::OUTCOME_CRASHED},
      {reward::v1::CASE_STATUS_TIMED_OUT, reward::v1::OUTCOME_TIMED_OUT}};
  for (const auto& [status, outcome] : expected) {
    FakeJudge judge(
        [status = status](const auto& request, const auto&) { return FakeJudge::AllWith(request, status, "why"); });
    const auto evaluation = Walk(compiler_, judge);
    ASSERT_TRUE(evaluation.ok()) << evaluation.status();
    EXPECT_EQ(evaluation->outcome(), outcome);
    EXPECT_FALSE(evaluation->has_verify());
    EXPECT_DOUBLE_EQ(evaluation->reward().value(), -2.0);
  }
}

TEST_F(PipelineEvaluatorTest, WrongResultStillRunsTheOtherCases) {
  FakeJudge judge([](const worker::v1::ExamineRequest& request, const auto&) {
    auto response = FakeJudge::AllPassed(request);
    if (request.case_indices(0) != 0) return response;
    return FakeJudge::AllWith(request, reward::v1::CASE_STATUS_WRONG_RESULT, "");
  });
  const auto evaluation = Walk(compiler_, judge);
  ASSERT_TRUE(evaluation.ok()) << evaluation.status();
  EXPECT_EQ(evaluation->outcome(), reward::v1::OUTCOME_WRONG_RESULT);
  EXPECT_DOUBLE_EQ(evaluation->screen().passed_fraction(), 0.5);
  EXPECT_DOUBLE_EQ(evaluation->reward().value(), -1.0);
}

TEST_F(PipelineEvaluatorTest, HangingCandidateCostsOneCaseOnly) {
  FakeJudge judge([](const auto& request, const auto&) {
    return FakeJudge::AllWith(request, reward::v1::CASE_STATUS_TIMED_OUT, "");
  });
  const auto evaluation = Walk(compiler_, judge);
  ASSERT_TRUE(evaluation.ok());
  EXPECT_EQ(judge.examine_count, 1);
  EXPECT_EQ(evaluation->screen().cases(1).status(), reward::v1::CASE_STATUS_SKIPPED);
}

TEST_F(PipelineEvaluatorTest, WhatTheDeviceLacksIsNeverARewardOrAnOutcome) {
  FakeJudge judge([](const auto& request, const auto&) {
    return FakeJudge::AllWith(request, reward::v1::CASE_STATUS_NOT_SCREENED, "unsupported: wgmma");
  });
  const auto evaluation = Walk(compiler_, judge);
  EXPECT_TRUE(absl::IsFailedPrecondition(evaluation.status()));
  EXPECT_THAT(std::string(evaluation.status().message()), HasSubstr("unsupported: wgmma"));
}

TEST_F(PipelineEvaluatorTest, KernelThatTheCompilerDidNotMakeIsRejected) {
  FakeJudge judge([](const worker::v1::ExamineRequest& request, const auto&) {
    auto response = FakeJudge::AllPassed(request);
    response.mutable_cases(0)->mutable_executions(0)->set_kernel("smuggled");
    return response;
  });
  const auto evaluation = Walk(compiler_, judge);
  ASSERT_TRUE(evaluation.ok()) << evaluation.status();
  EXPECT_EQ(evaluation->outcome(), reward::v1::OUTCOME_REJECTED);
  EXPECT_THAT(evaluation->outcome_detail(), HasSubstr("kernel smuggled was launched"));
}

TEST_F(PipelineEvaluatorTest, FaultsOfOursAreNeverOutcomes) {
  FakeCompiler broken_compiler([](const auto&, const auto&) { return absl::InternalError("compiler is gone"); });
  EXPECT_FALSE(Walk(broken_compiler, judge_).ok());
  FakeJudge broken_judge([](const auto&, const auto&) { return absl::UnavailableError("judge is gone"); });
  EXPECT_FALSE(Walk(compiler_, broken_judge).ok());
  FakeJudge confessing_judge([](const auto&, const auto&) {
    worker::v1::ExamineResponse response;
    response.set_status_code(static_cast<int>(absl::StatusCode::kInternal));
    return response;
  });
  EXPECT_FALSE(Walk(compiler_, confessing_judge).ok());
  FakeJudge silent_judge([](const auto&, const auto&) { return worker::v1::ExamineResponse(); });
  EXPECT_TRUE(absl::IsInternal(Walk(compiler_, silent_judge).status()));
}

TEST_F(PipelineEvaluatorTest, StoppedOrLateRequestDoesNoWork) {
  std::stop_source stop;
  stop.request_stop();
  scope_.stop = stop.get_token();
  EXPECT_TRUE(absl::IsCancelled(Walk(compiler_, judge_).status()));
  scope_ = {.deadline = absl::InfinitePast()};
  EXPECT_TRUE(absl::IsDeadlineExceeded(Walk(compiler_, judge_).status()));
  EXPECT_EQ(compiler_.call_count, 0);
}

}  // namespace
}  // namespace cudaperf::server
