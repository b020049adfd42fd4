#include "ranker/reward.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "ranker/policies.h"

namespace cudaperf::ranker {
namespace {

using config::v1::RewardPolicy;
using reward::v1::CaseStatus;
using reward::v1::Evaluation;
using reward::v1::Outcome;
using reward::v1::Reward;

constexpr CaseStatus kPassed = reward::v1::CASE_STATUS_PASSED;
constexpr CaseStatus kWrong = reward::v1::CASE_STATUS_WRONG_RESULT;
constexpr CaseStatus kFault = reward::v1::CASE_STATUS_MEMORY_FAULT;
constexpr CaseStatus kSkipped = reward::v1::CASE_STATUS_SKIPPED;
constexpr CaseStatus kNotScreened = reward::v1::CASE_STATUS_NOT_SCREENED;

RewardPolicy Policy(const std::string& name) {
  for (RewardPolicy& policy : ShippedPolicies()) {
    if (policy.name() == name) return policy;
  }
  ADD_FAILURE() << "no policy " << name;
  return {};
}

Evaluation Failed(Outcome outcome, const std::vector<CaseStatus>& cases = {}) {
  Evaluation evidence;
  evidence.set_outcome(outcome);
  for (const CaseStatus status : cases) evidence.mutable_screen()->add_cases()->set_status(status);
  return evidence;
}

Evaluation Passed(double speedup, double variation = 0) {
  Evaluation evidence = Failed(reward::v1::OUTCOME_PASSED, {kPassed, kPassed});
  evidence.mutable_timing()->set_speedup(speedup);
  evidence.mutable_timing()->set_coefficient_of_variation(variation);
  return evidence;
}

double Value(const std::string& policy, const Evaluation& evidence) {
  const auto reward = ComputeReward(Policy(policy), evidence);
  EXPECT_TRUE(reward.ok()) << reward.status();
  return reward.ok() ? reward->value() : std::nan("");
}

TEST(RewardTest, WorkedExamplesOfTheDefaultPolicy) {
  const struct {
    const char* name;
    Evaluation evidence;
    double value;
  } examples[] = {
      {"does not compile", Failed(reward::v1::OUTCOME_COMPILE_FAILED), -3},
      {"rejected", Failed(reward::v1::OUTCOME_REJECTED), -3},
      {"all wrong", Failed(reward::v1::OUTCOME_WRONG_RESULT, {kWrong, kWrong}), -2},
      {"one of four wrong", Failed(reward::v1::OUTCOME_WRONG_RESULT, {kPassed, kPassed, kPassed, kWrong}), -0.5},
      {"skipped cases are not passed", Failed(reward::v1::OUTCOME_TIMED_OUT, {kPassed, kFault, kSkipped, kSkipped}), -1.5},
      {"unscreened cases do not count", Failed(reward::v1::OUTCOME_WRONG_RESULT, {kPassed, kWrong, kNotScreened}), -1},
      {"fault", Failed(reward::v1::OUTCOME_MEMORY_FAULT, {kPassed, kFault}), -1},
      {"crash before any case", Failed(reward::v1::OUTCOME_CRASHED), -2},
      {"crash after the last case", Failed(reward::v1::OUTCOME_CRASHED, {kPassed, kPassed, kPassed}), -0.5},
      {"timed out", Failed(reward::v1::OUTCOME_TIMED_OUT, {reward::v1::CASE_STATUS_TIMED_OUT}), -2},
      {"as fast as the baseline", Passed(1), 0},
      {"twice as fast", Passed(2), 1},
      {"twice as fast but noisy", Passed(2, 0.2), 0.98},
      {"1000 times as fast", Passed(1000), 4},
      {"ten times slower", Passed(0.1), -0.5},
  };
  for (const auto& example : examples)
    EXPECT_NEAR(Value("cudaperf-v1", example.evidence), example.value, 1e-12) << example.name;
}

TEST(RewardTest, VerifiedCasesCountLikeScreenedOnes) {
  Evaluation evidence = Failed(reward::v1::OUTCOME_WRONG_RESULT, {kPassed, kPassed, kPassed});
  evidence.mutable_verify()->add_cases()->set_status(kWrong);
  EXPECT_NEAR(Value("cudaperf-v1", evidence), -0.5, 1e-12);
}

TEST(RewardTest, StructureIsTheProbabilityOfBeatingTheBaseline) {
  Evaluation evidence = Passed(1);
  evidence.mutable_rank()->set_score(0);
  EXPECT_NEAR(Value("cudaperf-v1", evidence), 0, 1e-12);
  evidence.mutable_rank()->set_score(std::log(3.0));  // 3 to 1: probability 0.75
  EXPECT_NEAR(Value("cudaperf-v1", evidence), 0.5 * (2 * 0.75 - 1), 1e-12);
  evidence.mutable_rank()->set_score(-1e9);
  EXPECT_NEAR(Value("cudaperf-v1", evidence), -0.5, 1e-12);
}

TEST(RewardTest, AbsentRankerIsSaidAndCostsNothing) {
  Evaluation evidence = Passed(2);
  evidence.mutable_rank()->set_absent_reason("no ranker model is configured");
  const auto reward = ComputeReward(Policy("cudaperf-v1"), evidence);
  ASSERT_TRUE(reward.ok());
  ASSERT_EQ(reward->terms_size(), 3);
  EXPECT_EQ(reward->terms(2).name(), "structure");
  EXPECT_EQ(reward->terms(2).absent_reason(), "no ranker model is configured");
  EXPECT_EQ(reward->terms(2).contribution(), 0);
  EXPECT_EQ(reward->value(), 1);
}

TEST(RewardTest, PeersFormulas) {
  EXPECT_NEAR(Value("kevin", Passed(2)), 2.3, 1e-12);
  EXPECT_EQ(Value("kevin", Failed(reward::v1::OUTCOME_WRONG_RESULT, {kPassed, kWrong})), 0);
  EXPECT_NEAR(Value("kernelbench-tinker", Passed(3)), 2.3, 1e-12);
  EXPECT_NEAR(Value("kernelbench-tinker", Passed(50)), 10.3, 1e-12);
  EXPECT_EQ(Value("kernelbench-tinker", Failed(reward::v1::OUTCOME_COMPILE_FAILED)), 0);
  const std::pair<double, double> tiers[] = {{0.9, -0.1}, {1, 0.2}, {1.19, 0.2}, {1.2, 0.4},
                                             {1.5, 0.6},  {2, 0.8}, {3, 1},      {9, 1}};
  for (const auto& [speedup, tier] : tiers) EXPECT_NEAR(Value("dr-kernel", Passed(speedup)), tier, 1e-12) << speedup;
  EXPECT_EQ(Value("dr-kernel", Failed(reward::v1::OUTCOME_COMPILE_FAILED)), -0.5);
  EXPECT_EQ(Value("dr-kernel", Failed(reward::v1::OUTCOME_WRONG_RESULT, {kWrong})), -0.3);
  EXPECT_EQ(Value("dr-kernel", Failed(reward::v1::OUTCOME_CRASHED)), -1);
}

TEST(RewardTest, SpeedOfLightScoresHalfForTheBaselineAndOneAtTheLimit) {
  Evaluation evidence = Passed(1);
  auto& timed = *evidence.mutable_timing()->add_cases();
  timed.mutable_speed_of_light()->set_nanos(1000);
  timed.mutable_baseline()->mutable_median()->set_nanos(5000);
  timed.mutable_candidate()->mutable_median()->set_nanos(5000);
  EXPECT_NEAR(Value("sol", evidence), 0.5, 1e-12);
  timed.mutable_candidate()->mutable_median()->set_nanos(1000);
  EXPECT_NEAR(Value("sol", evidence), 1, 1e-12);
  timed.mutable_candidate()->mutable_median()->set_nanos(13000);
  EXPECT_NEAR(Value("sol", evidence), 0.25, 1e-12);
  timed.clear_speed_of_light();
  EXPECT_EQ(ComputeReward(Policy("sol"), evidence).status().code(), absl::StatusCode::kInternal);
}

std::vector<Evaluation> AllEvidence() {
  std::vector<Evaluation> all;
  for (int outcome = reward::v1::Outcome_MIN + 1; outcome < reward::v1::OUTCOME_PASSED; ++outcome) {
    all.push_back(Failed(static_cast<Outcome>(outcome)));
    all.push_back(Failed(static_cast<Outcome>(outcome), {kPassed, kWrong}));
    all.push_back(Failed(static_cast<Outcome>(outcome), {kPassed, kFault, kSkipped}));
  }
  for (double speedup = 1e-6; speedup < 1e7; speedup *= 3) {
    all.push_back(Passed(speedup, 0.05));
    auto& timed = *all.back().mutable_timing()->add_cases();
    timed.mutable_speed_of_light()->set_nanos(10);
    timed.mutable_baseline()->mutable_median()->set_seconds(1);
    timed.mutable_candidate()->mutable_median()->set_seconds(static_cast<int64_t>(1 / speedup));
  }
  return all;
}

TEST(RewardTest, TermsAlwaysSumToTheValue) {
  for (const RewardPolicy& policy : ShippedPolicies()) {
    for (const Evaluation& evidence : AllEvidence()) {
      const auto reward = ComputeReward(policy, evidence);
      ASSERT_TRUE(reward.ok()) << reward.status();
      double sum = 0;
      for (const auto& term : reward->terms()) {
        sum += term.contribution();
        EXPECT_NEAR(term.contribution(), term.absent_reason().empty() ? term.value() * term.weight() : 0, 1e-12);
      }
      EXPECT_EQ(reward->value(), sum);
      EXPECT_EQ(reward->policy(), policy.name());
      EXPECT_TRUE(std::isfinite(reward->value()));
    }
  }
}

TEST(RewardTest, FasterNeverEarnsLess) {
  for (const RewardPolicy& policy : ShippedPolicies()) {
    double last = -std::numeric_limits<double>::infinity();
    for (const Evaluation& evidence : AllEvidence()) {
      if (evidence.outcome() != reward::v1::OUTCOME_PASSED) continue;
      const double value = ComputeReward(policy, evidence)->value();
      EXPECT_GE(value, last) << policy.name() << " at " << evidence.timing().speedup();
      last = value;
    }
  }
}

TEST(RewardTest, DefaultPolicyStaysWithinItsBounds) {
  for (const Evaluation& evidence : AllEvidence()) {
    const double value = Value("cudaperf-v1", evidence);
    EXPECT_GE(value, -3);
    EXPECT_LE(value, 4);
    if (evidence.outcome() != reward::v1::OUTCOME_PASSED) {
      EXPECT_LT(value, 0);
    }
  }
}

TEST(RewardTest, FaultsNeverEarnMoreThanWrongResults) {
  for (const RewardPolicy& policy : ShippedPolicies()) {
    const double wrong = ComputeReward(policy, Failed(reward::v1::OUTCOME_WRONG_RESULT, {kPassed, kWrong}))->value();
    for (const Outcome outcome :
         {reward::v1::OUTCOME_CRASHED, reward::v1::OUTCOME_TIMED_OUT, reward::v1::OUTCOME_MEMORY_FAULT}) {
      EXPECT_LE(ComputeReward(policy, Failed(outcome, {kPassed, kFault}))->value(), wrong) << policy.name();
    }
  }
}

TEST(RewardTest, ImpossibleEvidenceIsOurFaultAndEarnsNothing) {
  Evaluation untimed = Passed(1);
  untimed.clear_timing();
  Evaluation contradictory = Passed(1);
  contradictory.mutable_verify()->add_cases()->set_status(kWrong);
  Evaluation unrun = Passed(1);
  unrun.clear_screen();
  Evaluation unranked = Passed(1);
  unranked.mutable_rank()->set_score(std::nan(""));
  for (const Evaluation& evidence :
       {untimed, contradictory, unrun, unranked, Passed(0), Passed(-1), Passed(std::nan("")),
        Passed(std::numeric_limits<double>::infinity()), Passed(1, -1), Evaluation()}) {
    EXPECT_EQ(ComputeReward(Policy("cudaperf-v1"), evidence).status().code(), absl::StatusCode::kInternal)
        << evidence.ShortDebugString();
  }
}

TEST(RewardTest, InvalidPolicyIsRefused) {
  EXPECT_EQ(ComputeReward(RewardPolicy(), Passed(1)).status().code(), absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace cudaperf::ranker
