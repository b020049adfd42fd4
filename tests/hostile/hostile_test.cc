// Every misbehaviour under tests/hostile/ through a real daemon with short limits; after each one an honest candidate
// still gets its right verdict, and nothing of the hostile one is left: no process, no file.

#include <sys/stat.h>

#include <filesystem>
#include <iostream>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_format.h"
#include "absl/time/clock.h"
#include "grpcpp/grpcpp.h"
#include "gtest/gtest.h"
#include "proto/task_file.h"
#include "tests/server/candidate_file.h"
#include "tests/server/daemon_process.h"
#include "tests/server/process_census.h"
#include "tests/test_paths.h"

namespace cudaperf::server {
namespace {

const std::filesystem::path kHostile = std::filesystem::path(tests::SourceFolder()) / "tests/hostile";
const std::filesystem::path kTasks = std::filesystem::path(tests::SourceFolder()) / "tasks";
constexpr const char* kHonest = "honest.cu";
constexpr uid_t kFirstWorkerUser = 58000;
constexpr uid_t kWorkerUserCount = 1500;

std::vector<CandidateFile> Misbehaviours() {
  std::vector<CandidateFile> files = ReadCandidateFiles(kHostile);
  std::erase_if(files, [](const CandidateFile& file) { return file.name == kHonest; });
  return files;
}

// What workers' users own where everybody may write.
std::set<std::string> WorkerFiles() {
  std::set<std::string> files;
  for (const char* folder : {"/tmp", "/var/tmp", "/dev/shm"}) {
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
      struct stat status = {};
      if (lstat(entry.path().c_str(), &status) != 0) continue;
      if (status.st_uid >= kFirstWorkerUser && status.st_uid < kFirstWorkerUser + kWorkerUserCount)
        files.insert(entry.path());
    }
  }
  return files;
}

class HostileTest : public ::testing::TestWithParam<CandidateFile> {
 protected:
  static void SetUpTestSuite() {
    auto daemon = DaemonProcess::Start(
        tests::BinaryFolder() + "/bin/cudaperfd",
        {"--slot_count=1", "--limits.compile_time=20s", "--limits.case_time=3s", "--limits.instruction_budget=20000000",
         "--limits.worker_memory_bytes=2147483648", "--limits.device_memory_bytes=1073741824"});
    ASSERT_TRUE(daemon.ok()) << daemon.status();
    daemon_ = daemon->release();
    // A judge keeps references of the tasks that it saw last: as many as it ever will.
    for (const char* task : {"nbody", "sum_reduction", "transpose", "vector_add_host"}) Register(task);
    ASSERT_EQ(EvaluateHonest(), reward::v1::OUTCOME_PASSED) << daemon_->Log();
    warm_count_ = AwaitCommand(daemon_->pid(), "cudaperf-device", 2, absl::Seconds(5)).size();
  }
  static void TearDownTestSuite() { delete daemon_; }

  static void Register(const std::string& name) {
    reward::v1::RegisterTaskRequest request;
    auto task = proto::ReadTaskFile(kTasks / name);
    ASSERT_TRUE(task.ok()) << task.status();
    *request.mutable_task() = *std::move(task);
    grpc::ClientContext context;
    reward::v1::RegisterTaskResponse response;
    const grpc::Status status = daemon_->stub().RegisterTask(&context, request, &response);
    ASSERT_TRUE(status.ok()) << status.error_message();
  }

  static grpc::Status Evaluate(const CandidateFile& file, reward::v1::Evaluation* evaluation) {
    const auto task = proto::ReadTaskFile(kTasks / file.task);
    EXPECT_TRUE(task.ok()) << task.status();
    return daemon_->Evaluate(*task, file.source, evaluation);
  }

  // The outcome's name; `NOT_SCREENED` where the device lacks something and there is no outcome.
  static std::string VerdictOf(const grpc::Status& status, const reward::v1::Evaluation& evaluation) {
    if (status.ok()) return reward::v1::Outcome_Name(evaluation.outcome());
    return status.error_code() == grpc::StatusCode::FAILED_PRECONDITION ? "NOT_SCREENED" : "ERROR";
  }

  static reward::v1::Outcome EvaluateHonest() {
    reward::v1::Evaluation evaluation;
    const grpc::Status status = Evaluate(ReadCandidateFile(kHostile / kHonest), &evaluation);
    EXPECT_TRUE(status.ok()) << status.error_message();
    return evaluation.outcome();
  }

  static DaemonProcess* daemon_;
  static size_t warm_count_;
};

DaemonProcess* HostileTest::daemon_ = nullptr;
size_t HostileTest::warm_count_ = 0;

TEST_P(HostileTest, GetsItsOutcomeAndLeavesNothing) {
  ASSERT_NE(daemon_, nullptr);
  const std::set<std::string> files_before = WorkerFiles();
  const absl::Time started_at = absl::Now();
  reward::v1::Evaluation evaluation;
  const grpc::Status status = Evaluate(GetParam(), &evaluation);
  const std::string verdict = VerdictOf(status, evaluation);
  const std::string detail = status.ok() ? evaluation.outcome_detail() : status.error_message();
  std::cout << absl::StrFormat("%-32s %-24s %6.2f s  %s\n", GetParam().name, verdict,
                               absl::ToDoubleSeconds(absl::Now() - started_at), detail.substr(0, 100));
  EXPECT_TRUE(GetParam().expected.contains(verdict)) << verdict << ": " << detail;
  for (const std::string& word : GetParam().forbidden) {
    EXPECT_EQ(evaluation.SerializeAsString().find(word), std::string::npos) << word << " is in the answer";
  }
  EXPECT_EQ(EvaluateHonest(), reward::v1::OUTCOME_PASSED);
  const std::vector<ProcessEntry> left = AwaitDescendants(daemon_->pid(), warm_count_, absl::Seconds(3));
  EXPECT_LE(left.size(), warm_count_) << Describe(left);
  EXPECT_TRUE(EscapedWorkers().empty()) << Describe(EscapedWorkers());
  for (const std::string& file : WorkerFiles()) EXPECT_TRUE(files_before.contains(file)) << file << " is left";
}

INSTANTIATE_TEST_SUITE_P(Misbehaviours, HostileTest, ::testing::ValuesIn(Misbehaviours()),
                         [](const auto& info) { return info.param.name.substr(0, info.param.name.find('.')); });

}  // namespace

void PrintTo(const CandidateFile& file, std::ostream* out) { *out << file.name; }

}  // namespace cudaperf::server
