// Every candidate under tasks/ through a real daemon, against the outcome its head expects. Prints a table.

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_format.h"
#include "grpcpp/grpcpp.h"
#include "gtest/gtest.h"
#include "proto/task_file.h"
#include "tests/server/candidate_file.h"
#include "tests/server/daemon_process.h"
#include "tests/test_paths.h"

namespace cudaperf::server {
namespace {

const std::filesystem::path kTasks = std::filesystem::path(tests::SourceFolder()) / "tasks";

std::vector<std::string> TaskNames() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(kTasks)) {
    if (std::filesystem::exists(entry.path() / "task.textproto")) names.push_back(entry.path().filename());
  }
  std::sort(names.begin(), names.end());
  return names;
}

class AllTasksTest : public ::testing::TestWithParam<std::string> {
 protected:
  static void SetUpTestSuite() {
    if (!tests::HasDevice(CUDAPERF_TEST_DEVICE)) GTEST_SKIP() << tests::kNoGpu;
    auto daemon = DaemonProcess::Start(tests::BinaryFolder() + "/bin/cudaperfd", {"--device=" CUDAPERF_TEST_DEVICE});
    ASSERT_TRUE(daemon.ok()) << daemon.status();
    daemon_ = daemon->release();
  }
  static void TearDownTestSuite() { delete daemon_; }

  // Median of the last case, such as `12.3 us`.
  static std::string TimeText(const reward::v1::Evaluation& evaluation) {
    if (evaluation.timing().cases().empty()) return "-";
    const auto& median = evaluation.timing().cases().rbegin()->candidate().median();
    return absl::StrFormat("%.1f us", 1e6 * static_cast<double>(median.seconds()) + 1e-3 * median.nanos());
  }

  static void PrintRow(const CandidateFile& file, const reward::v1::Evaluation& evaluation) {
    std::cout << absl::StrFormat(
                     "%-16s %-26s %-24s %+7.3f %8s %10s %s", GetParam(), file.name,
                     reward::v1::Outcome_Name(evaluation.outcome()), evaluation.reward().value(),
                     evaluation.has_timing() ? absl::StrFormat("%.2fx", evaluation.timing().speedup()) : "-",
                     TimeText(evaluation),
                     file.Accepts(evaluation.outcome()) ? "" : "<- unexpected: " + evaluation.outcome_detail())
              << std::endl;
  }

  static DaemonProcess* daemon_;
};

DaemonProcess* AllTasksTest::daemon_ = nullptr;

TEST_P(AllTasksTest, CandidatesGetTheOutcomesTheyExpect) {
  if (!tests::HasDevice(CUDAPERF_TEST_DEVICE)) GTEST_SKIP() << tests::kNoGpu;
  ASSERT_NE(daemon_, nullptr);
  const auto task = proto::ReadTaskFile(kTasks / GetParam());
  ASSERT_TRUE(task.ok()) << task.status();
  for (const CandidateFile& file : ReadCandidateFiles(kTasks / GetParam() / "candidates")) {
    reward::v1::EvaluateKernelRequest request;
    *request.mutable_task() = *task;
    request.mutable_candidate()->set_source(file.source);
    grpc::ClientContext context;
    reward::v1::EvaluateKernelResponse response;
    const grpc::Status status = daemon_->stub().EvaluateKernel(&context, request, &response);
    EXPECT_TRUE(status.ok()) << file.name << ": " << status.error_message();
    if (!status.ok()) continue;
    PrintRow(file, response.evaluation());
    EXPECT_TRUE(file.Accepts(response.evaluation().outcome()))
        << file.name << ": " << reward::v1::Outcome_Name(response.evaluation().outcome()) << ": "
        << response.evaluation().outcome_detail();
  }
}

INSTANTIATE_TEST_SUITE_P(Tasks, AllTasksTest, ::testing::ValuesIn(TaskNames()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace cudaperf::server
