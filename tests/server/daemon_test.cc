// A real daemon with real workers: what a user gets.

#include <signal.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <future>
#include <memory>
#include <string>

#include "absl/time/clock.h"
#include "gmock/gmock.h"
#include "grpcpp/grpcpp.h"
#include "gtest/gtest.h"
#include "proto/task_file.h"
#include "tests/server/candidate_file.h"
#include "tests/server/daemon_process.h"
#include "tests/test_paths.h"

namespace cudaperf::server {
namespace {

using reward::v1::EvaluateKernelRequest;
using reward::v1::EvaluateKernelResponse;
using ::testing::HasSubstr;

const std::string kDaemon = tests::BinaryFolder() + "/bin/cudaperfd";
const std::string kTasks = tests::SourceFolder() + "/tasks/";

class DaemonTest : public ::testing::Test {
 protected:
  void SetUp() override { Restart("5000000"); }

  void Restart(const std::string& instruction_budget) {
    daemon_ = nullptr;
    auto daemon = DaemonProcess::Start(kDaemon, {"--limits.instruction_budget=" + instruction_budget});
    ASSERT_TRUE(daemon.ok()) << daemon.status();
    daemon_ = *std::move(daemon);
  }

  static EvaluateKernelRequest Saxpy(const std::string& candidate) {
    EvaluateKernelRequest request;
    auto task = proto::ReadTaskFile(kTasks + "saxpy");
    EXPECT_TRUE(task.ok()) << task.status();
    *request.mutable_task() = *std::move(task);
    request.mutable_candidate()->set_source(ReadCandidateFile(kTasks + "saxpy/candidates/" + candidate).source);
    return request;
  }

  grpc::Status Evaluate(const EvaluateKernelRequest& request, EvaluateKernelResponse* response) {
    grpc::ClientContext context;
    return daemon_->stub().EvaluateKernel(&context, request, response);
  }

  std::unique_ptr<DaemonProcess> daemon_;
};

TEST_F(DaemonTest, SaxpyCandidatesGetTheirOutcomes) {
  for (const CandidateFile& file : ReadCandidateFiles(kTasks + "saxpy/candidates")) {
    EvaluateKernelResponse response;
    const grpc::Status status = Evaluate(Saxpy(file.name), &response);
    ASSERT_TRUE(status.ok()) << file.name << ": " << status.error_message() << "\n" << daemon_->Log();
    EXPECT_TRUE(file.Accepts(response.evaluation().outcome()))
        << file.name << ": " << reward::v1::Outcome_Name(response.evaluation().outcome()) << ": "
        << response.evaluation().outcome_detail();
    EXPECT_FALSE(response.evaluation().feedback().text().empty()) << file.name;
  }
}

TEST_F(DaemonTest, CoalescedBeatsUncoalesced) {
  EvaluateKernelResponse fast, uncoalesced;
  ASSERT_TRUE(Evaluate(Saxpy("fast.cu"), &fast).ok());
  ASSERT_TRUE(Evaluate(Saxpy("uncoalesced.cu"), &uncoalesced).ok());
  EXPECT_GT(fast.evaluation().reward().value(), uncoalesced.evaluation().reward().value());
  EXPECT_GT(fast.evaluation().profile().coalescing(), 0.95);
  EXPECT_LT(uncoalesced.evaluation().profile().coalescing(), 0.3);
}

TEST_F(DaemonTest, NonUtf8SourceIsRefused) {
  EvaluateKernelRequest request = Saxpy("fast.cu");
  request.mutable_candidate()->set_source("// \xff\xfe\n");
  EvaluateKernelResponse response;
  const grpc::Status status = Evaluate(request, &response);
  EXPECT_EQ(status.error_code(), grpc::StatusCode::INVALID_ARGUMENT) << status.error_message();
}

TEST_F(DaemonTest, SigtermDrainsAndExitsWithZero) {
  EvaluateKernelResponse warm, response;
  ASSERT_TRUE(Evaluate(Saxpy("fast.cu"), &warm).ok());
  EvaluateKernelRequest request = Saxpy("fast.cu");
  request.set_skip_cache(true);
  auto running = std::async(std::launch::async, [&] { return Evaluate(request, &response); });
  reward::v1::DescribeServerResponse description;
  do {
    grpc::ClientContext context;
    ASSERT_TRUE(daemon_->stub().DescribeServer(&context, {}, &description).ok());
  } while (description.in_flight_count() == 0 &&
           running.wait_for(std::chrono::seconds(0)) != std::future_status::ready);
  const auto status = daemon_->Stop(SIGTERM, absl::Seconds(30));
  ASSERT_TRUE(status.ok()) << status.status();
  EXPECT_EQ(*status, 0) << daemon_->Log();
  EXPECT_TRUE(running.get().ok());
}

TEST_F(DaemonTest, DeadlineEndsAnEndlessKernelAtOnce) {
  Restart("10000000000");
  EvaluateKernelResponse warm;
  ASSERT_TRUE(Evaluate(Saxpy("fast.cu"), &warm).ok());
  EvaluateKernelRequest request = Saxpy("fast.cu");
  request.mutable_candidate()->set_source(
      "// cudaperf: launch spin<<<1, 1>>>(n, a, x, y)\n"
      "__global__ void spin(int n, float a, const float* x, float* y) { while (*(volatile float*)y != 1e30f) {} }\n");
  grpc::ClientContext context;
  EvaluateKernelResponse response;
  const absl::Time started_at = absl::Now();
  context.set_deadline(absl::ToChronoTime(started_at + absl::Milliseconds(700)));
  EXPECT_EQ(daemon_->stub().EvaluateKernel(&context, request, &response).error_code(),
            grpc::StatusCode::DEADLINE_EXCEEDED);
  reward::v1::DescribeServerResponse description;
  do {
    grpc::ClientContext describe_context;
    ASSERT_TRUE(daemon_->stub().DescribeServer(&describe_context, {}, &description).ok());
  } while (description.in_flight_count() != 0 && absl::Now() < started_at + absl::Seconds(10));
  EXPECT_EQ(description.in_flight_count(), 0);
  EXPECT_LT(absl::Now() - started_at, absl::Seconds(3));
}

TEST(DaemonStartTest, BadSettingRefusesToStartNamingTheField) {
  const auto daemon = DaemonProcess::Start(kDaemon, {"--slot_count=0"});
  EXPECT_THAT(std::string(daemon.status().message()), HasSubstr("slot_count: must be 1 .. 256, was 0"));
}

TEST(DaemonStartTest, AddressThatOthersReachNeedsConsent) {
  const auto daemon = DaemonProcess::Start(kDaemon, {"--listen_address=0.0.0.0:0"});
  EXPECT_THAT(std::string(daemon.status().message()), HasSubstr("--insecure"));
}

}  // namespace
}  // namespace cudaperf::server
