#include "server/caching_evaluator.h"

#include <atomic>
#include <functional>
#include <future>
#include <memory>
#include <utility>

#include "gtest/gtest.h"
#include "tests/server/gate.h"
#include "tests/server/saxpy_task.h"
#include "tests/server/test_settings.h"

namespace cudaperf::server {
namespace {

using reward::v1::Evaluation;

// Compile failures: complete evidence in one field.
class FakeEvaluator : public Evaluator {
 public:
  absl::StatusOr<Evaluation> Evaluate(const EvaluationRequest& request, const sandbox::CallScope& scope) override {
    ++call_count;
    if (absl::Status status = gate.Pass(scope); !status.ok()) return status;
    if (!failure.ok()) return failure;
    Evaluation evaluation;
    evaluation.set_evaluation_id(request.evaluation_id);
    evaluation.set_outcome(reward::v1::OUTCOME_COMPILE_FAILED);
    evaluation.mutable_compile();
    return evaluation;
  }
  std::optional<Evaluation> Recall(const EvaluationRequest&) override { return std::nullopt; }

  Gate gate;
  absl::Status failure;
  std::atomic<int> call_count = 0;
};

class CachingEvaluatorTest : public ::testing::Test {
 protected:
  explicit CachingEvaluatorTest(int64_t entries = 2) {
    auto inner = std::make_unique<FakeEvaluator>();
    inner_ = inner.get();
    inner_->gate.Open();
    config::v1::ServerConfig config = TestSettings();
    config.set_result_cache_entries(entries);
    evaluator_ = std::make_unique<CachingEvaluator>(std::move(inner), config, &metrics_);
    auto task = std::make_shared<RegisteredTask>();
    task->task_id = "sha256:task";
    task->task = SaxpyTask();
    task_ = task;
  }

  EvaluationRequest Request(const std::string& id, const std::string& candidate) {
    EvaluationRequest request;
    request.evaluation_id = id;
    request.task = task_;
    request.candidate = SaxpyCandidate();
    request.candidate_digest = candidate;
    request.reward_policy = "cudaperf-v1";
    return request;
  }

  ServerMetrics metrics_{"v", "emulated", "gpu"};
  FakeEvaluator* inner_;
  std::unique_ptr<CachingEvaluator> evaluator_;
  std::shared_ptr<const RegisteredTask> task_;
};

TEST_F(CachingEvaluatorTest, SecondRequestIsRecalledUnderItsOwnId) {
  const auto first = evaluator_->Evaluate(Request("e1", "a"), {});
  ASSERT_TRUE(first.ok());
  EXPECT_FALSE(first->provenance().cache_hit());
  const auto second = evaluator_->Recall(Request("e2", "a"));
  ASSERT_TRUE(second.has_value());
  EXPECT_EQ(second->evaluation_id(), "e2");
  EXPECT_TRUE(second->provenance().cache_hit());
  EXPECT_EQ(inner_->call_count, 1);
}

TEST_F(CachingEvaluatorTest, RewardIsConcludedForThePolicyAskedFor) {
  ASSERT_TRUE(evaluator_->Evaluate(Request("e1", "a"), {}).ok());
  EXPECT_DOUBLE_EQ(evaluator_->Recall(Request("e2", "a"))->reward().value(), -3.0);
  EvaluationRequest other = Request("e3", "a");
  other.reward_policy = "kevin";
  const auto recalled = evaluator_->Recall(other);
  ASSERT_TRUE(recalled.has_value());
  EXPECT_EQ(recalled->reward().policy(), "kevin");
  EXPECT_EQ(recalled->provenance().reward_policy(), "kevin");
  EXPECT_NE(recalled->reward().value(), -3.0);
}

TEST_F(CachingEvaluatorTest, SkippingReadsNothingButRefreshes) {
  ASSERT_TRUE(evaluator_->Evaluate(Request("e1", "a"), {}).ok());
  EvaluationRequest afresh = Request("e2", "a");
  afresh.cache_use = EvaluationRequest::CacheUse::kWriteOnly;
  EXPECT_FALSE(evaluator_->Recall(afresh).has_value());
  const auto evaluation = evaluator_->Evaluate(afresh, {});
  ASSERT_TRUE(evaluation.ok());
  EXPECT_FALSE(evaluation->provenance().cache_hit());
  EXPECT_EQ(inner_->call_count, 2);
}

TEST_F(CachingEvaluatorTest, FaultsOfOursAreNotKept) {
  inner_->failure = absl::InternalError("broken");
  EXPECT_FALSE(evaluator_->Evaluate(Request("e1", "a"), {}).ok());
  inner_->failure = absl::OkStatus();
  EXPECT_FALSE(evaluator_->Recall(Request("e2", "a")).has_value());
  EXPECT_TRUE(evaluator_->Evaluate(Request("e3", "a"), {}).ok());
}

TEST_F(CachingEvaluatorTest, UsedLongestAgoLeavesFirst) {
  ASSERT_TRUE(evaluator_->Evaluate(Request("e1", "a"), {}).ok());
  ASSERT_TRUE(evaluator_->Evaluate(Request("e2", "b"), {}).ok());
  ASSERT_TRUE(evaluator_->Recall(Request("e3", "a")).has_value());
  ASSERT_TRUE(evaluator_->Evaluate(Request("e4", "c"), {}).ok());
  EXPECT_TRUE(evaluator_->Recall(Request("e5", "a")).has_value());
  EXPECT_FALSE(evaluator_->Recall(Request("e6", "b")).has_value());
}

class ClosedGateTest : public CachingEvaluatorTest {
 protected:
  ClosedGateTest() {
    auto inner = std::make_unique<FakeEvaluator>();
    inner_ = inner.get();
    evaluator_ = std::make_unique<CachingEvaluator>(std::move(inner), TestSettings(), &metrics_);
  }
};

TEST_F(ClosedGateTest, IdenticalRequestsInFlightAreComputedOnce) {
  auto first = std::async(std::launch::async, [&] { return evaluator_->Evaluate(Request("e1", "a"), {}); });
  inner_->gate.AwaitArrivals(1);
  auto second = std::async(std::launch::async, [&] { return evaluator_->Evaluate(Request("e2", "a"), {}); });
  inner_->gate.Open();
  const auto led = first.get();
  const auto followed = second.get();
  ASSERT_TRUE(led.ok());
  ASSERT_TRUE(followed.ok());
  EXPECT_EQ(inner_->call_count, 1);
  EXPECT_EQ(led->evaluation_id(), "e1");
  EXPECT_EQ(followed->evaluation_id(), "e2");
  EXPECT_TRUE(followed->provenance().cache_hit());
}

}  // namespace
}  // namespace cudaperf::server
