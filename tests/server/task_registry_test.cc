#include "server/task_registry.h"

#include <future>

#include "analyzers/gpu_sheet.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "server/examining_task_admission.h"
#include "tests/server/fake_compiler.h"
#include "tests/server/fake_judge.h"
#include "tests/server/gate.h"
#include "tests/server/saxpy_task.h"
#include "tests/server/test_settings.h"

namespace cudaperf::server {
namespace {

using ::testing::HasSubstr;

class TaskRegistryTest : public ::testing::Test {
 protected:
  absl::StatusOr<RegisteredTask> AdmitWith(sandbox::Compiler& compiler, sandbox::Judge& judge,
                                           const reward::v1::Task& task = SaxpyTask()) {
    return Admission(compiler, judge).Admit(task, {});
  }

  static ExaminingTaskAdmission Admission(sandbox::Compiler& compiler, sandbox::Judge& judge) {
    return ExaminingTaskAdmission({.compiler = &compiler,
                                   .judge = &judge,
                                   .build = {"sm_90", absl::Seconds(1)},
                                   .gpu = *analyzers::FindGpuSheet("h200"),
                                   .config = TestSettings()});
  }

  static reward::v1::Task Variant(int i) {
    reward::v1::Task task = SaxpyTask();
    task.set_name("saxpy" + std::to_string(i));
    (*task.mutable_cuda()->mutable_cases(0)->mutable_sizes())["n"] = 32 + i;
    return task;
  }

  FakeCompiler compiler_;
  FakeJudge judge_;
  ExaminingTaskAdmission admission_ = Admission(compiler_, judge_);
};

TEST_F(TaskRegistryTest, AdmittedTaskCarriesReferenceAndBaseline) {
  const auto task = AdmitWith(compiler_, judge_);
  ASSERT_TRUE(task.ok()) << task.status();
  EXPECT_EQ(task->reference_shared_object, "elf");
  EXPECT_EQ(task->baseline_screen.cases_size(), 2);
  EXPECT_EQ(task->baseline_verify.cases_size(), 1);
  EXPECT_THAT(task->launcher_prototype, HasSubstr("saxpy(int n, float a, const float* x, float* y)"));
}

TEST_F(TaskRegistryTest, TaskThatAWrongAnswerCouldPassIsRefused) {
  judge_.refusal = "an all-zero output passes";
  const auto task = AdmitWith(compiler_, judge_);
  EXPECT_TRUE(absl::IsFailedPrecondition(task.status()));
  EXPECT_THAT(std::string(task.status().message()), HasSubstr("an all-zero output passes"));
}

TEST_F(TaskRegistryTest, ReferenceThatDoesNotCompileIsRefused) {
  FakeCompiler compiler([](const auto& request, const auto&) {
    auto response = FakeCompiler::Success();
    if (request.language() == worker::v1::SOURCE_LANGUAGE_C) response.set_status(worker::v1::COMPILE_STATUS_FAILED);
    return response;
  });
  EXPECT_THAT(std::string(AdmitWith(compiler, judge_).status().message()), HasSubstr("reference_source"));
}

TEST_F(TaskRegistryTest, BaselineMustPassEveryCase) {
  FakeJudge judge([](const worker::v1::ExamineRequest& request, const auto&) {
    if (request.case_indices(0) == 2)
      return FakeJudge::AllWith(request, reward::v1::CASE_STATUS_WRONG_RESULT, "off by 1");
    return FakeJudge::AllPassed(request);
  });
  const auto task = AdmitWith(compiler_, judge);
  EXPECT_TRUE(absl::IsFailedPrecondition(task.status()));
  EXPECT_THAT(std::string(task.status().message()), HasSubstr("baseline: case model: off by 1"));
}

TEST_F(TaskRegistryTest, MalformedTaskIsAnInvalidArgument) {
  reward::v1::Task task = SaxpyTask();
  task.mutable_cuda()->clear_cases();
  EXPECT_TRUE(absl::IsInvalidArgument(AdmitWith(compiler_, judge_, task).status()));
  EXPECT_EQ(compiler_.call_count, 0);
}

TEST_F(TaskRegistryTest, FoundByNameAndByDigest) {
  TaskRegistry registry(&admission_, 10);
  const auto entry = registry.Register(SaxpyTask(), {});
  ASSERT_TRUE(entry.ok()) << entry.status();
  EXPECT_EQ(registry.Find("saxpy"), *entry);
  EXPECT_EQ(registry.Find((*entry)->task_id), *entry);
  EXPECT_EQ(registry.Find("other"), nullptr);
  EXPECT_EQ(registry.List().size(), 1u);
}

TEST_F(TaskRegistryTest, RegisteringAgainDoesNoWork) {
  TaskRegistry registry(&admission_, 10);
  ASSERT_TRUE(registry.Register(SaxpyTask(), {}).ok());
  ASSERT_TRUE(registry.Register(SaxpyTask(), {}).ok());
  EXPECT_EQ(judge_.admit_count, 1);
}

TEST_F(TaskRegistryTest, CheckedTaskIsNotKept) {
  TaskRegistry registry(&admission_, 10);
  ASSERT_TRUE(registry.Check(SaxpyTask(), {}).ok());
  EXPECT_EQ(registry.Find("saxpy"), nullptr);
}

TEST_F(TaskRegistryTest, NameStandsForTheTaskRegisteredLast) {
  TaskRegistry registry(&admission_, 10);
  reward::v1::Task second = Variant(9);
  second.set_name("saxpy");
  ASSERT_TRUE(registry.Register(SaxpyTask(), {}).ok());
  const auto entry = registry.Register(second, {});
  ASSERT_TRUE(entry.ok());
  EXPECT_EQ(registry.Find("saxpy"), *entry);
  EXPECT_EQ(registry.List().size(), 2u);
}

TEST_F(TaskRegistryTest, TaskThatCameWithACandidateTakesNoName) {
  TaskRegistry registry(&admission_, 10);
  const auto registered = registry.Register(SaxpyTask(), {});
  ASSERT_TRUE(registered.ok());
  reward::v1::Task impostor = Variant(9);
  impostor.set_name("saxpy");
  const auto adopted = registry.Adopt(impostor, {});
  ASSERT_TRUE(adopted.ok());
  EXPECT_EQ(registry.Find("saxpy"), *registered);
  EXPECT_EQ(registry.Find((*adopted)->task_id), *adopted);
  ASSERT_TRUE(registry.Adopt(Variant(8), {}).ok());
  EXPECT_EQ(registry.Find("saxpy8"), nullptr);
}

TEST_F(TaskRegistryTest, UsedLongestAgoLeavesFirst) {
  TaskRegistry registry(&admission_, 2);
  ASSERT_TRUE(registry.Register(Variant(1), {}).ok());
  ASSERT_TRUE(registry.Register(Variant(2), {}).ok());
  ASSERT_NE(registry.Find("saxpy1"), nullptr);
  ASSERT_TRUE(registry.Register(Variant(3), {}).ok());
  EXPECT_NE(registry.Find("saxpy1"), nullptr);
  EXPECT_EQ(registry.Find("saxpy2"), nullptr);
}

TEST_F(TaskRegistryTest, SameTaskAtTheSameTimeIsAdmittedOnce) {
  Gate gate;
  FakeCompiler compiler([&](const auto&, const auto& scope) -> absl::StatusOr<worker::v1::CompileResponse> {
    if (absl::Status status = gate.Pass(scope); !status.ok()) return status;
    return FakeCompiler::Success();
  });
  ExaminingTaskAdmission admission = Admission(compiler, judge_);
  TaskRegistry registry(&admission, 10);
  auto first = std::async(std::launch::async, [&] { return registry.Register(SaxpyTask(), {}); });
  gate.AwaitArrivals(1);
  auto second = std::async(std::launch::async, [&] { return registry.Register(SaxpyTask(), {}); });
  gate.Open();
  EXPECT_EQ(*first.get(), *second.get());
  EXPECT_EQ(judge_.admit_count, 1);
}

}  // namespace
}  // namespace cudaperf::server
