#include "tests/tasks/task_suite.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "gmock/gmock.h"
#include "google/protobuf/text_format.h"
#include "gtest/gtest.h"
#include "sandbox/task/expression.h"
#include "sandbox/task/launch_directive.h"
#include "sandbox/task/sizes.h"
#include "sandbox/task/task_validation.h"

namespace cudaperf::tasks {
namespace {

using reward::v1::Case;
using reward::v1::CudaTask;
using reward::v1::Generator;
using reward::v1::Parameter;
using reward::v1::Task;

constexpr int64_t kCaseMemoryLimit = int64_t{2} << 30;
constexpr int64_t kMaxSourceBytes = 256 << 10;
// A screen costs a few milliseconds; the emulated device runs a model case in about a second.
constexpr int64_t kMaxScreenElements = 25'000;
constexpr int64_t kMaxModelElements = 3'000'000;

int64_t BufferElements(const CudaTask& task, const Case& test_case) {
  int64_t sum = 0;
  for (const Parameter& parameter : task.parameters()) {
    if (!parameter.has_buffer()) continue;
    sum += sandbox::EvaluateExpression(parameter.buffer().extent(), sandbox::CaseSizes(test_case)).value_or(INT64_MAX / 64);
  }
  return sum;
}

int CountCases(const CudaTask& task, reward::v1::CaseRole role) {
  return std::count_if(task.cases().begin(), task.cases().end(), [role](const Case& c) { return c.role() == role; });
}

bool IsAwkward(const Case& test_case) {
  return std::any_of(test_case.sizes().begin(), test_case.sizes().end(),
                     [](const auto& size) { return size.second > 1 && size.second % 32 != 0; });
}

class TaskFolderTest : public testing::TestWithParam<std::filesystem::path> {
 protected:
  void SetUp() override {
    const absl::StatusOr<Task> task = ReadTask(GetParam());
    ASSERT_TRUE(task.ok()) << task.status();
    task_ = *task;
  }

  Task task_;
};

TEST_P(TaskFolderTest, IsNamedLikeItsFolderAndValid) {
  EXPECT_EQ(task_.name(), GetParam().filename());
  EXPECT_FALSE(task_.description().empty());
  const absl::Status status = sandbox::ValidateTask(task_, kCaseMemoryLimit);
  EXPECT_TRUE(status.ok()) << status;
}

TEST_P(TaskFolderTest, HasSmallAwkwardScreensAModelAndAFullCase) {
  const CudaTask& cuda = task_.cuda();
  EXPECT_GE(CountCases(cuda, reward::v1::CASE_ROLE_SCREEN), 3);
  EXPECT_GE(CountCases(cuda, reward::v1::CASE_ROLE_MODEL), 1);
  EXPECT_GE(CountCases(cuda, reward::v1::CASE_ROLE_FULL), 1);
  int awkward = 0;
  for (const Case& test_case : cuda.cases()) {
    const int64_t elements = BufferElements(cuda, test_case);
    if (test_case.role() == reward::v1::CASE_ROLE_SCREEN) {
      EXPECT_LE(elements, kMaxScreenElements) << test_case.name();
      awkward += IsAwkward(test_case);
    } else if (test_case.role() == reward::v1::CASE_ROLE_MODEL) {
      EXPECT_LE(elements, kMaxModelElements) << test_case.name();
    }
  }
  EXPECT_GE(awkward, 2) << "sizes that are no multiple of a warp";
}

TEST_P(TaskFolderTest, CandidatesSayWhatTheyAreAndWhatMustBecomeOfThem) {
  std::map<reward::v1::Outcome, int> by_outcome;
  for (const CandidateFile& candidate : ReadCandidates(GetParam())) {
    const std::string name = candidate.path.filename();
    EXPECT_GT(candidate.description.size(), 10) << name << ": first line says in a sentence what it is";
    EXPECT_NE(candidate.expected, reward::v1::OUTCOME_UNSPECIFIED) << name << ": second line is `// expect: OUTCOME_...`";
    ++by_outcome[candidate.expected];
    reward::v1::Candidate message;
    message.set_source(candidate.source);
    const absl::Status status = sandbox::ValidateCandidate(message, kMaxSourceBytes);
    EXPECT_TRUE(status.ok()) << name << ": " << status;
  }
  EXPECT_TRUE(std::filesystem::exists(GetParam() / "candidates/fast.cu"));
  EXPECT_GE(by_outcome[reward::v1::OUTCOME_PASSED], 2) << "a fast one and a structurally bad one";
  EXPECT_GE(by_outcome[reward::v1::OUTCOME_WRONG_RESULT], 1);
  EXPECT_GE(by_outcome[reward::v1::OUTCOME_MEMORY_FAULT], 1);
}

TEST_P(TaskFolderTest, EveryProgramIsALauncherOrSaysWhatToLaunch) {
  std::map<std::string, std::string> sources = {{"baseline.cu", task_.cuda().baseline().source()}};
  for (const CandidateFile& candidate : ReadCandidates(GetParam())) sources[candidate.path.filename()] = candidate.source;
  for (const auto& [name, source] : sources) {
    const bool launcher =
        sandbox::DetectKind(source, task_.cuda().entry_point()) == reward::v1::CANDIDATE_KIND_LAUNCHER;
    const absl::StatusOr<sandbox::LaunchDescription> description = sandbox::ParseLaunchDirectives(source);
    ASSERT_TRUE(description.ok()) << name << ": " << description.status();
    EXPECT_EQ(launcher, description->launches.empty()) << name;
    const bool must_launch = task_.cuda().memory_space() == reward::v1::MEMORY_SPACE_HOST || name == "launcher.cu";
    EXPECT_TRUE(launcher || !must_launch) << name;
  }
}

std::string FolderName(const testing::TestParamInfo<std::filesystem::path>& info) { return info.param.filename(); }

INSTANTIATE_TEST_SUITE_P(Suite, TaskFolderTest, testing::ValuesIn(TaskFolders()), FolderName);

TEST(TaskSuiteTest, CoversTypesGeneratorsMemorySpacesAndBothKinds) {
  std::set<reward::v1::DataType> types;
  std::set<Generator::KindCase> generators;
  int host_tasks = 0, launchers = 0;
  for (const std::filesystem::path& folder : TaskFolders()) {
    const absl::StatusOr<Task> task = ReadTask(folder);
    ASSERT_TRUE(task.ok()) << task.status();
    host_tasks += task->cuda().memory_space() == reward::v1::MEMORY_SPACE_HOST;
    launchers += std::filesystem::exists(folder / "candidates/launcher.cu");
    for (const Parameter& parameter : task->cuda().parameters()) {
      if (parameter.has_buffer()) types.insert(parameter.dtype());
      generators.insert(parameter.generator().kind_case());
    }
    for (const Case& test_case : task->cuda().cases()) {
      for (const auto& [name, generator] : test_case.generators()) generators.insert(generator.kind_case());
    }
  }
  EXPECT_GE(TaskFolders().size(), 14);
  EXPECT_GE(host_tasks, 1);
  EXPECT_GE(launchers, 5);
  for (const auto type : {reward::v1::DATA_TYPE_INT32, reward::v1::DATA_TYPE_FLOAT16, reward::v1::DATA_TYPE_FLOAT32,
                          reward::v1::DATA_TYPE_FLOAT64}) {
    EXPECT_THAT(types, testing::Contains(type)) << reward::v1::DataType_Name(type);
  }
  for (const auto kind : {Generator::kUniform, Generator::kNormal, Generator::kIntegerRange, Generator::kSorted,
                          Generator::kPermutation, Generator::kCsrRowOffsets, Generator::kCsrColumnIndices,
                          Generator::kConstant}) {
    EXPECT_THAT(generators, testing::Contains(kind));
  }
}

}  // namespace
}  // namespace cudaperf::tasks
