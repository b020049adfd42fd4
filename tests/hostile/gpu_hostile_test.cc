// Every misbehaviour under tests/hostile/gpu/, which shows only at full size, through a real daemon on a GPU; after
// each an honest candidate still gets its right verdict, and the time it had before.

#include <cmath>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include "absl/strings/str_format.h"
#include "absl/time/clock.h"
#include "grpcpp/grpcpp.h"
#include "gtest/gtest.h"
#include "proto/task_file.h"
#include "tests/server/candidate_file.h"
#include "tests/server/daemon_process.h"
#include "tests/test_paths.h"

namespace cudaperf::server {
namespace {

const std::filesystem::path kHostile = std::filesystem::path(tests::SourceFolder()) / "tests/hostile";
const std::filesystem::path kTasks = std::filesystem::path(tests::SourceFolder()) / "tasks";
constexpr const char* kDevice = "cuda:0";
constexpr absl::Duration kCaseTime = absl::Seconds(3);

class GpuHostileTest : public ::testing::TestWithParam<CandidateFile> {
 protected:
  static void SetUpTestSuite() {
    if (!tests::HasDevice(kDevice)) return;
    auto daemon =
        DaemonProcess::Start(tests::BinaryFolder() + "/bin/cudaperfd",
                             {absl::StrFormat("--device=%s", kDevice), "--slot_count=2", "--profile_level=none",
                              absl::StrFormat("--limits.case_time=%s", absl::FormatDuration(kCaseTime)),
                              "--limits.device_memory_bytes=1073741824"});
    ASSERT_TRUE(daemon.ok()) << daemon.status();
    daemon_ = daemon->release();
    honest_seconds_ = HonestSeconds();
    ASSERT_GT(honest_seconds_, 0) << daemon_->Log();
  }
  static void TearDownTestSuite() { delete daemon_; }

  static grpc::Status Evaluate(const CandidateFile& file, reward::v1::Evaluation* evaluation) {
    const auto task = proto::ReadTaskFile(kTasks / file.task);
    EXPECT_TRUE(task.ok()) << task.status();
    return daemon_->Evaluate(*task, file.source, evaluation);
  }

  static double MedianSeconds(const reward::v1::Evaluation& evaluation) {
    if (evaluation.timing().cases().empty()) return 0;
    const auto& median = evaluation.timing().cases(0).candidate().median();
    return static_cast<double>(median.seconds()) + 1e-9 * median.nanos();
  }

  // Of a passed evaluation of the honest twin; 0 otherwise.
  static double HonestSeconds() {
    reward::v1::Evaluation evaluation;
    const grpc::Status status = Evaluate(ReadCandidateFile(kHostile / "honest.cu"), &evaluation);
    EXPECT_TRUE(status.ok()) << status.error_message();
    EXPECT_EQ(evaluation.outcome(), reward::v1::OUTCOME_PASSED) << evaluation.outcome_detail();
    return evaluation.outcome() == reward::v1::OUTCOME_PASSED ? MedianSeconds(evaluation) : 0;
  }

  static DaemonProcess* daemon_;
  static double honest_seconds_;
};

DaemonProcess* GpuHostileTest::daemon_ = nullptr;
double GpuHostileTest::honest_seconds_ = 0;

TEST_P(GpuHostileTest, GetsItsOutcomeAndHarmsNoOneAfterIt) {
  if (!tests::HasDevice(kDevice)) GTEST_SKIP() << tests::kNoGpu;
  ASSERT_NE(daemon_, nullptr);
  const absl::Time started_at = absl::Now();
  reward::v1::Evaluation evaluation;
  const grpc::Status status = Evaluate(GetParam(), &evaluation);
  const double honest = HonestSeconds();
  std::cout << absl::StrFormat("%-20s %-24s %6.2f s  %8.1f us, honest %.1f us  %s", GetParam().name,
                               status.ok() ? reward::v1::Outcome_Name(evaluation.outcome()) : "ERROR",
                               absl::ToDoubleSeconds(absl::Now() - started_at), 1e6 * MedianSeconds(evaluation),
                               1e6 * honest,
                               (status.ok() ? evaluation.outcome_detail() : status.error_message()).substr(0, 140))
            << std::endl;
  EXPECT_TRUE(status.ok()) << status.error_message();
  EXPECT_TRUE(GetParam().Accepts(evaluation.outcome()))
      << reward::v1::Outcome_Name(evaluation.outcome()) << ": " << evaluation.outcome_detail();
  // No reward for a cheat: whatever passes took at least the time that the work takes.
  if (evaluation.outcome() == reward::v1::OUTCOME_PASSED) EXPECT_GT(MedianSeconds(evaluation), 0.9 * honest_seconds_);
  EXPECT_NEAR(honest / honest_seconds_, 1, 0.1);
}

INSTANTIATE_TEST_SUITE_P(Misbehaviours, GpuHostileTest, ::testing::ValuesIn(ReadCandidateFiles(kHostile / "gpu")),
                         [](const auto& info) { return info.param.name.substr(0, info.param.name.find('.')); });

}  // namespace

void PrintTo(const CandidateFile& file, std::ostream* out) { *out << file.name; }

}  // namespace cudaperf::server
