// The whole front desk over real gRPC, with fakes where the workers are.

#include <algorithm>
#include <chrono>
#include <future>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "absl/time/clock.h"
#include "cudaperf/reward/v1/reward_service.grpc.pb.h"
#include "gmock/gmock.h"
#include "grpcpp/grpcpp.h"
#include "gtest/gtest.h"
#include "server/daemon.h"
#include "spdlog/sinks/ostream_sink.h"
#include "tests/server/fake_compiler.h"
#include "tests/server/fake_judge.h"
#include "tests/server/gate.h"
#include "tests/server/health_probe.h"
#include "tests/server/http_get.h"
#include "tests/server/saxpy_task.h"
#include "tests/server/test_settings.h"

namespace cudaperf::server {
namespace {

using reward::v1::EvaluateKernelRequest;
using reward::v1::EvaluateKernelResponse;
using reward::v1::RewardService;
using ::testing::HasSubstr;
using ::testing::Not;

class RewardServiceTest : public ::testing::Test {
 protected:
  // Candidates that say `slow` wait at the gate while they compile.
  RewardServiceTest() {
    auto compiler = std::make_unique<FakeCompiler>(
        [this](const auto& request, const auto& scope) -> absl::StatusOr<worker::v1::CompileResponse> {
          if (request.source().find("slow") == std::string::npos) return FakeCompiler::Success();
          if (absl::Status status = gate_.Pass(scope); !status.ok()) return status;
          return FakeCompiler::Success();
        });
    Daemon::Parts parts;
    parts.compiler = std::move(compiler);
    parts.judges.push_back(std::make_unique<FakeJudge>());
    parts.log = std::make_unique<EventLog>(
        std::make_shared<spdlog::logger>("test", std::make_shared<spdlog::sinks::ostream_sink_mt>(log_)),
        EventLog::Format::kText);
    parts.server_version = "1.2.3";
    auto daemon = Daemon::Start(TestSettings(), std::move(parts));
    EXPECT_TRUE(daemon.ok()) << daemon.status();
    daemon_ = *std::move(daemon);
    channel_ = grpc::CreateChannel(daemon_->address(), grpc::InsecureChannelCredentials());
    stub_ = RewardService::NewStub(channel_);
  }
  ~RewardServiceTest() override { gate_.Open(); }

  static EvaluateKernelRequest Request(const std::string& text = "") {
    EvaluateKernelRequest request;
    *request.mutable_task() = SaxpyTask();
    *request.mutable_candidate() = SaxpyCandidate(text);
    return request;
  }

  grpc::Status Evaluate(const EvaluateKernelRequest& request, EvaluateKernelResponse* response = nullptr,
                        grpc::ClientContext* context = nullptr) {
    EvaluateKernelResponse own_response;
    grpc::ClientContext own_context;
    return stub_->EvaluateKernel(context == nullptr ? &own_context : context, request,
                                 response == nullptr ? &own_response : response);
  }

  // An evaluation that holds the only slot, until the gate opens.
  std::future<grpc::Status> OccupySlot() {
    EXPECT_TRUE(Evaluate(Request()).ok());  // the task is registered from here on
    auto slow = std::async(std::launch::async, [this] { return Evaluate(Request("slow")); });
    gate_.AwaitArrivals(1);
    return slow;
  }

  // Answers once `count` requests wait.
  void AwaitQueued(int count) {
    reward::v1::DescribeServerResponse response;
    do {
      grpc::ClientContext context;
      ASSERT_TRUE(stub_->DescribeServer(&context, {}, &response).ok());
    } while (response.queued_count() != count);
  }

  Gate gate_;
  std::ostringstream log_;
  std::unique_ptr<Daemon> daemon_;
  std::shared_ptr<grpc::Channel> channel_;
  std::unique_ptr<RewardService::Stub> stub_;
};

TEST_F(RewardServiceTest, InlineTaskIsRegisteredOnTheWay) {
  EvaluateKernelRequest request = Request();
  request.set_request_id("mine");
  EvaluateKernelResponse response;
  const grpc::Status status = Evaluate(request, &response);
  ASSERT_TRUE(status.ok()) << status.error_message();
  EXPECT_EQ(response.request_id(), "mine");
  EXPECT_EQ(response.evaluation().outcome(), reward::v1::OUTCOME_PASSED);
  EvaluateKernelRequest by_digest;
  by_digest.set_task_id(response.evaluation().task_id());
  *by_digest.mutable_candidate() = SaxpyCandidate("another");
  EXPECT_TRUE(Evaluate(by_digest).ok());
  // Whoever sends a task along must not decide what its name means to others.
  by_digest.set_task_id("saxpy");
  EXPECT_EQ(Evaluate(by_digest).error_code(), grpc::StatusCode::NOT_FOUND);
}

TEST_F(RewardServiceTest, SecondAnswerIsCached) {
  EvaluateKernelResponse first, second;
  ASSERT_TRUE(Evaluate(Request(), &first).ok());
  ASSERT_TRUE(Evaluate(Request(), &second).ok());
  EXPECT_FALSE(first.evaluation().provenance().cache_hit());
  EXPECT_TRUE(second.evaluation().provenance().cache_hit());
  EXPECT_NE(first.evaluation().evaluation_id(), second.evaluation().evaluation_id());
  EXPECT_EQ(first.evaluation().reward().value(), second.evaluation().reward().value());
}

TEST_F(RewardServiceTest, CachedAnswerNeedsNoSlot) {
  auto slow = OccupySlot();
  EvaluateKernelResponse response;
  ASSERT_TRUE(Evaluate(Request(), &response).ok());
  EXPECT_TRUE(response.evaluation().provenance().cache_hit());
  gate_.Open();
  EXPECT_TRUE(slow.get().ok());
}

TEST_F(RewardServiceTest, BadFieldIsNamedWithDetails) {
  EvaluateKernelRequest request = Request();
  request.set_reward_policy("generous");
  const grpc::Status status = Evaluate(request);
  EXPECT_EQ(status.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_THAT(status.error_message(), HasSubstr("reward_policy: unknown"));
  EXPECT_THAT(status.error_details(), HasSubstr("type.googleapis.com/google.rpc.BadRequest"));
}

TEST_F(RewardServiceTest, TextThatIsNotUtf8IsTheCallersMistake) {
  EvaluateKernelRequest request = Request();
  request.mutable_candidate()->set_source("\xff\xfe");
  const grpc::Status status = Evaluate(request);
  EXPECT_EQ(status.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_THAT(status.error_message(), HasSubstr("UTF-8"));
}

TEST_F(RewardServiceTest, UnknownTaskIsNotFound) {
  EvaluateKernelRequest request = Request();
  request.set_task_id("nobody");
  const grpc::Status status = Evaluate(request);
  EXPECT_EQ(status.error_code(), grpc::StatusCode::NOT_FOUND);
  EXPECT_THAT(status.error_message(), HasSubstr("nobody"));
}

TEST_F(RewardServiceTest, OversizedMessageIsNotTakenForAFullQueue) {
  EvaluateKernelRequest request = Request();
  request.mutable_candidate()->set_source(std::string(17 << 20, 'x'));
  const grpc::Status status = Evaluate(request);
  EXPECT_EQ(status.error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_THAT(status.error_details(), Not(HasSubstr("RetryInfo")));
}

TEST_F(RewardServiceTest, FullQueueSaysWhenToRetry) {
  auto slow = OccupySlot();
  auto queued = std::async(std::launch::async, [this] { return Evaluate(Request("slow, queued")); });
  AwaitQueued(1);
  grpc::ClientContext context;
  const grpc::Status refused = Evaluate(Request("one too many"), nullptr, &context);
  EXPECT_EQ(refused.error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_THAT(refused.error_details(), HasSubstr("type.googleapis.com/google.rpc.RetryInfo"));
  EXPECT_EQ(context.GetServerTrailingMetadata().count("grpc-retry-pushback-ms"), 1u);
  gate_.Open();
  EXPECT_TRUE(slow.get().ok());
  EXPECT_TRUE(queued.get().ok());
}

TEST_F(RewardServiceTest, HealthAnswersWithin50MillisecondsWhileEverySlotIsBusy) {
  auto slow = OccupySlot();
  auto queued = std::async(std::launch::async, [this] { return Evaluate(Request("slow, queued")); });
  AwaitQueued(1);
  std::vector<absl::Duration> durations;
  for (int i = 0; i < 21; ++i) {
    const absl::Time started_at = absl::Now();
    ASSERT_EQ(ProbeHealth(channel_), "SERVING");
    durations.push_back(absl::Now() - started_at);
  }
  // The median: the machine that runs the tests may be busy with others.
  std::nth_element(durations.begin(), durations.begin() + 10, durations.end());
  EXPECT_LT(durations[10], absl::Milliseconds(50));
  EXPECT_EQ(ProbeHealth(channel_, "cudaperf.reward.v1.RewardService"), "SERVING");
  gate_.Open();
  EXPECT_TRUE(slow.get().ok());
  EXPECT_TRUE(queued.get().ok());
}

TEST_F(RewardServiceTest, DeadlineReachesTheWorkers) {
  ASSERT_TRUE(Evaluate(Request()).ok());
  grpc::ClientContext context;
  context.set_deadline(absl::ToChronoTime(absl::Now() + absl::Milliseconds(300)));
  EXPECT_EQ(Evaluate(Request("slow"), nullptr, &context).error_code(), grpc::StatusCode::DEADLINE_EXCEEDED);
  EXPECT_TRUE(Evaluate(Request("next")).ok());  // the slot is free again although the gate is shut
}

TEST_F(RewardServiceTest, CancellationReachesTheWorkers) {
  ASSERT_TRUE(Evaluate(Request()).ok());
  grpc::ClientContext context;
  auto slow = std::async(std::launch::async, [&] { return Evaluate(Request("slow"), nullptr, &context); });
  gate_.AwaitArrivals(1);
  context.TryCancel();
  EXPECT_EQ(slow.get().error_code(), grpc::StatusCode::CANCELLED);
  EXPECT_TRUE(Evaluate(Request("next")).ok());
}

TEST_F(RewardServiceTest, CancelledWhileQueuedLeavesTheQueueAtOnce) {
  auto slow = OccupySlot();
  grpc::ClientContext context;
  auto queued = std::async(std::launch::async, [&] { return Evaluate(Request("slow, queued"), nullptr, &context); });
  AwaitQueued(1);
  context.TryCancel();
  EXPECT_EQ(queued.get().error_code(), grpc::StatusCode::CANCELLED);
  AwaitQueued(0);
  gate_.Open();
  EXPECT_TRUE(slow.get().ok());
}

TEST_F(RewardServiceTest, DrainFinishesWhatWasAcceptedAndRefusesTheRest) {
  auto slow = OccupySlot();
  auto queued = std::async(std::launch::async, [this] { return Evaluate(Request("slow, queued")); });
  AwaitQueued(1);
  auto drained = std::async(std::launch::async, [this] { return daemon_->Drain(absl::Seconds(30)); });
  while (ProbeHealth(channel_) == "SERVING") {
  }
  EXPECT_EQ(Evaluate(Request("new")).error_code(), grpc::StatusCode::UNAVAILABLE);
  EXPECT_EQ(Evaluate(Request()).error_code(), grpc::StatusCode::UNAVAILABLE);
  EXPECT_THAT(HttpGet(daemon_->metrics_port(), "/healthz"), HasSubstr("503"));
  gate_.Open();
  EXPECT_TRUE(slow.get().ok());
  EXPECT_TRUE(queued.get().ok());
  EXPECT_TRUE(drained.get());
}

TEST_F(RewardServiceTest, DrainStopsWhatOutlastsTheLimit) {
  auto slow = OccupySlot();
  EXPECT_FALSE(daemon_->Drain(absl::Milliseconds(50)));
  EXPECT_EQ(slow.get().error_code(), grpc::StatusCode::UNAVAILABLE);
}

TEST_F(RewardServiceTest, TasksAreListedByName) {
  grpc::ClientContext register_context, list_context;
  reward::v1::RegisterTaskRequest request;
  *request.mutable_task() = SaxpyTask();
  reward::v1::RegisterTaskResponse registered;
  ASSERT_TRUE(stub_->RegisterTask(&register_context, request, &registered).ok());
  EXPECT_EQ(registered.baseline().cases_size(), 3);
  reward::v1::ListTasksResponse list;
  ASSERT_TRUE(stub_->ListTasks(&list_context, {}, &list).ok());
  ASSERT_EQ(list.tasks_size(), 1);
  EXPECT_EQ(list.tasks(0).name(), "saxpy");
  EXPECT_EQ(list.tasks(0).task_id(), registered.task_id());
}

TEST_F(RewardServiceTest, MetricsCountWhatHappened) {
  ASSERT_TRUE(Evaluate(Request()).ok());
  ASSERT_TRUE(Evaluate(Request()).ok());
  EvaluateKernelRequest bad = Request();
  bad.set_reward_policy("generous");
  EXPECT_FALSE(Evaluate(bad).ok());
  const std::string metrics = HttpGet(daemon_->metrics_port(), "/metrics");
  EXPECT_THAT(metrics, HasSubstr("cudaperf_evaluations_total{outcome=\"passed\",task_kind=\"cuda\"} 2"));
  EXPECT_THAT(metrics, HasSubstr("cudaperf_cache_hits_total{cache=\"result\"} 1"));
  EXPECT_THAT(metrics,
              HasSubstr("cudaperf_rejected_requests_total{code=\"INVALID_ARGUMENT\",method=\"EvaluateKernel\"} 1"));
  EXPECT_THAT(metrics, HasSubstr("cudaperf_stage_duration_seconds_count{stage=\"compile\"} 1"));
  EXPECT_THAT(metrics, HasSubstr("cudaperf_build_info{"));
  EXPECT_THAT(metrics, HasSubstr("cudaperf_speedup_ratio_count 2"));
  EXPECT_THAT(HttpGet(daemon_->metrics_port(), "/healthz"), HasSubstr("200 OK"));
}

TEST_F(RewardServiceTest, LogNamesTheEvaluationAndNeverTheSource) {
  EvaluateKernelResponse response;
  ASSERT_TRUE(Evaluate(Request("// confidential idea"), &response).ok());
  daemon_->Drain(absl::Seconds(10));
  EXPECT_THAT(log_.str(), HasSubstr(response.evaluation().evaluation_id()));
  EXPECT_THAT(log_.str(), Not(HasSubstr("confidential")));
}

TEST_F(RewardServiceTest, DescriptionTellsVersionAndPolicies) {
  grpc::ClientContext context;
  reward::v1::DescribeServerResponse response;
  ASSERT_TRUE(stub_->DescribeServer(&context, {}, &response).ok());
  EXPECT_EQ(response.server_version(), "1.2.3");
  EXPECT_EQ(response.default_reward_policy(), "cudaperf-v1");
  EXPECT_EQ(response.timing_source(), reward::v1::TIMING_SOURCE_MODELED);
}

TEST_F(RewardServiceTest, TakenAddressRefusesToStart) {
  config::v1::ServerConfig config = TestSettings();
  config.set_listen_address(daemon_->address());
  Daemon::Parts parts;
  parts.compiler = std::make_unique<FakeCompiler>();
  parts.judges.push_back(std::make_unique<FakeJudge>());
  parts.log = EventLog::ToStderr("error", EventLog::Format::kText);
  const auto second = Daemon::Start(config, std::move(parts));
  EXPECT_TRUE(absl::IsUnavailable(second.status()));
  EXPECT_THAT(std::string(second.status().message()), HasSubstr("listen_address"));
}

}  // namespace
}  // namespace cudaperf::server
