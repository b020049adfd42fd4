#include "ranker/reward.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "ranker/case_tally.h"
#include "ranker/policies.h"

namespace cudaperf::ranker {
namespace {

using config::v1::RewardPolicy;
using reward::v1::Evaluation;
using reward::v1::Reward;
using reward::v1::RewardTerm;

// Cases of both stages that decide correctness.
CaseTally TallyOf(const Evaluation& evidence) {
  CaseTally tally;
  tally.Add(evidence.screen());
  tally.Add(evidence.verify());
  return tally;
}

// The paper's p for a candidate that failed: below 1 even if what failed it was no case, such as a crash after the last
// one.
double PassedFraction(const Evaluation& evidence) {
  CaseTally tally = TallyOf(evidence);
  tally.failed = std::max(tally.failed, 1);
  return tally.passed_fraction();
}

void AddTerm(Reward& reward, const char* name, double value, double weight) {
  RewardTerm& term = *reward.add_terms();
  term.set_name(name);
  term.set_value(value);
  term.set_weight(weight);
  term.set_contribution(value * weight);
}

void AddAbsentTerm(Reward& reward, const char* name, double weight, const std::string& reason) {
  RewardTerm& term = *reward.add_terms();
  term.set_name(name);
  term.set_weight(weight);
  term.set_absent_reason(reason);
}

void AddCudaPerfFailure(const RewardPolicy::CudaPerf& weights, const Evaluation& evidence, Reward& reward) {
  switch (evidence.outcome()) {
    case reward::v1::OUTCOME_COMPILE_FAILED:
      AddTerm(reward, "compile", 1, -weights.alpha_compile());
      break;
    case reward::v1::OUTCOME_REJECTED:
      AddTerm(reward, "rejected", 1, -weights.alpha_compile());
      break;
    default:
      AddTerm(reward, "wrong", 1 - PassedFraction(evidence), -weights.alpha_wrong());
  }
}

void AddCudaPerfSuccess(const RewardPolicy::CudaPerf& weights, const Evaluation& evidence, Reward& reward) {
  AddTerm(reward, "speed", std::clamp(std::log2(evidence.timing().speedup()), weights.clip_low(), weights.clip_high()),
          weights.alpha_speed());
  AddTerm(reward, "variation", evidence.timing().coefficient_of_variation(), -weights.alpha_variation());
  if (evidence.rank().has_score()) {
    // RankNet's probability of being better than the baseline, spread over -1..1.
    AddTerm(reward, "structure", std::tanh(evidence.rank().score() / 2), weights.alpha_structure());
    return;
  }
  const std::string& reason = evidence.rank().absent_reason();
  AddAbsentTerm(reward, "structure", weights.alpha_structure(), reason.empty() ? "no ranker score" : reason);
}

double DrKernelTier(const Evaluation& evidence) {
  switch (evidence.outcome()) {
    case reward::v1::OUTCOME_COMPILE_FAILED:
      return -0.5;
    case reward::v1::OUTCOME_WRONG_RESULT:
      return -0.3;
    case reward::v1::OUTCOME_PASSED:
      break;
    default:
      return -1;
  }
  const double speedup = evidence.timing().speedup();
  if (speedup < 1) return -0.1;
  double tier = 0;
  for (const double threshold : {1.0, 1.2, 1.5, 2.0, 3.0}) tier += speedup >= threshold ? 0.2 : 0;
  return tier;
}

double Seconds(const google::protobuf::Duration& duration) {
  return static_cast<double>(duration.seconds()) + duration.nanos() * 1e-9;
}

// INTERNAL without every case's least time. A baseline at the speed of light leaves nothing to gain but being there
// too.
absl::StatusOr<double> SpeedOfLightScore(const reward::v1::TimingReport& timing) {
  double sum = 0;
  for (const reward::v1::CaseTiming& timed : timing.cases()) {
    if (!timed.has_speed_of_light()) {
      return absl::InternalError(absl::StrCat("case ", timed.case_name(), " has no speed-of-light time"));
    }
    const double least = Seconds(timed.speed_of_light());
    const double over = std::max(Seconds(timed.candidate().median()) - least, 0.0);
    const double allowed = std::max(Seconds(timed.baseline().median()) - least, 0.0);
    sum += over + allowed > 0 ? allowed / (allowed + over) : 1.0;
  }
  if (timing.cases().empty()) return absl::InternalError("no case was timed");
  return sum / timing.cases_size();
}

absl::Status AddTerms(const RewardPolicy& policy, const Evaluation& evidence, Reward& reward) {
  const bool passed = evidence.outcome() == reward::v1::OUTCOME_PASSED;
  const double correct = passed ? 1 : 0;
  const double speedup = passed ? evidence.timing().speedup() : 0;
  switch (policy.family_case()) {
    case RewardPolicy::kCudaperf:
      if (passed) {
        AddCudaPerfSuccess(policy.cudaperf(), evidence, reward);
      } else {
        AddCudaPerfFailure(policy.cudaperf(), evidence, reward);
      }
      break;
    case RewardPolicy::kKevin:
      AddTerm(reward, "correct", correct, policy.kevin().bonus());
      AddTerm(reward, "speed", speedup, policy.kevin().speed());
      break;
    case RewardPolicy::kDrKernel:
      AddTerm(reward, "tier", DrKernelTier(evidence), 1);
      break;
    case RewardPolicy::kKernelbenchTinker:
      AddTerm(reward, "correct", correct, policy.kernelbench_tinker().bonus());
      AddTerm(reward, "speed", passed ? std::min(speedup - 1, policy.kernelbench_tinker().gain_limit()) : 0, 1);
      break;
    case RewardPolicy::kSpeedOfLight: {
      const absl::StatusOr<double> score = passed ? SpeedOfLightScore(evidence.timing()) : 0.0;
      if (!score.ok()) return score.status();
      AddTerm(reward, "speed", *score, 1);
      break;
    }
    case RewardPolicy::FAMILY_NOT_SET:
      return absl::InvalidArgumentError("reward policy without a family");
  }
  return absl::OkStatus();
}

// What no true run leaves behind.
absl::Status CheckEvidence(const Evaluation& evidence) {
  if (evidence.outcome() == reward::v1::OUTCOME_UNSPECIFIED)
    return absl::InternalError("evaluation without an outcome");
  if (evidence.outcome() != reward::v1::OUTCOME_PASSED) return absl::OkStatus();
  const CaseTally tally = TallyOf(evidence);
  if (tally.failed > 0 || tally.passed == 0) {
    return absl::InternalError(
        absl::StrCat("passed with ", tally.passed, " passed and ", tally.failed, " failed cases in evidence"));
  }
  if (!evidence.has_timing()) return absl::InternalError("passed without a time");
  const double speedup = evidence.timing().speedup();
  if (!std::isfinite(speedup) || speedup <= 0)
    return absl::InternalError(absl::StrCat("passed with a speedup of ", speedup));
  const double variation = evidence.timing().coefficient_of_variation();
  if (!std::isfinite(variation) || variation < 0) return absl::InternalError(absl::StrCat("times vary by ", variation));
  if (evidence.rank().has_score() && !std::isfinite(evidence.rank().score())) {
    return absl::InternalError("the ranker's score is not finite");
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Reward> ComputeReward(const RewardPolicy& policy, const Evaluation& evidence) {
  if (absl::Status status = ValidatePolicy(policy); !status.ok()) return status;
  if (absl::Status status = CheckEvidence(evidence); !status.ok()) return status;
  Reward reward;
  reward.set_policy(policy.name());
  if (absl::Status status = AddTerms(WithDefaults(policy), evidence, reward); !status.ok()) return status;
  double value = 0;
  for (const RewardTerm& term : reward.terms()) value += term.contribution();
  reward.set_value(value);
  return reward;
}

}  // namespace cudaperf::ranker
