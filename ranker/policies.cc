#include "ranker/policies.h"

#include <cmath>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"

namespace cudaperf::ranker {
namespace {

using config::v1::RewardPolicy;

constexpr double kLargestWeight = 1e6;
constexpr double kLargestExponent = 64;
constexpr size_t kLongestName = 64;

absl::Status Invalid(const RewardPolicy& policy, const char* field, const char* rule) {
  return absl::InvalidArgumentError(absl::StrCat("reward policy \"", policy.name(), "\": ", field, " ", rule));
}

// Weights are magnitudes; the formula has the signs.
absl::Status CheckWeight(const RewardPolicy& policy, const char* field, double weight) {
  if (std::isfinite(weight) && weight >= 0 && weight <= kLargestWeight) return absl::OkStatus();
  return Invalid(policy, field, "must be a finite number from 0 to 1e6");
}

absl::Status CheckName(const RewardPolicy& policy) {
  const std::string& name = policy.name();
  bool valid = !name.empty() && name.size() <= kLongestName;
  for (const char c : name) {
    valid = valid && ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.');
  }
  if (valid) return absl::OkStatus();
  return absl::InvalidArgumentError("reward policy: name must be 1 to 64 lower case letters, digits, '-', '_' or '.'");
}

absl::Status CheckCudaPerf(const RewardPolicy& policy) {
  const RewardPolicy::CudaPerf& weights = policy.cudaperf();
  const std::pair<const char*, double> magnitudes[] = {
      {"alpha_compile", weights.alpha_compile()},     {"alpha_wrong", weights.alpha_wrong()},
      {"alpha_speed", weights.alpha_speed()},         {"alpha_variation", weights.alpha_variation()},
      {"alpha_structure", weights.alpha_structure()},
  };
  for (const auto& [field, weight] : magnitudes) {
    if (absl::Status status = CheckWeight(policy, field, weight); !status.ok()) return status;
  }
  for (const auto& [field, bound] : {std::pair("clip_low", weights.clip_low()), {"clip_high", weights.clip_high()}}) {
    if (!std::isfinite(bound) || std::abs(bound) > kLargestExponent)
      return Invalid(policy, field, "must be from -64 to 64");
  }
  if (weights.clip_low() > weights.clip_high()) return Invalid(policy, "clip_low", "must not exceed clip_high");
  return absl::OkStatus();
}

void SetCudaPerfDefaults(RewardPolicy::CudaPerf& weights) {
  if (!weights.has_alpha_compile()) weights.set_alpha_compile(3);
  if (!weights.has_alpha_wrong()) weights.set_alpha_wrong(2);
  if (!weights.has_alpha_speed()) weights.set_alpha_speed(1);
  if (!weights.has_clip_low()) weights.set_clip_low(-0.5);
  if (!weights.has_clip_high()) weights.set_clip_high(4);
  if (!weights.has_alpha_variation()) weights.set_alpha_variation(0.1);
  if (!weights.has_alpha_structure()) weights.set_alpha_structure(0.5);
}

}  // namespace

std::vector<RewardPolicy> ShippedPolicies() {
  std::vector<RewardPolicy> policies(5);
  policies[0].set_name("cudaperf-v1");
  policies[0].mutable_cudaperf();
  policies[1].set_name("kevin");
  policies[1].mutable_kevin();
  policies[2].set_name("dr-kernel");
  policies[2].mutable_dr_kernel();
  policies[3].set_name("kernelbench-tinker");
  policies[3].mutable_kernelbench_tinker();
  policies[4].set_name("sol");
  policies[4].mutable_speed_of_light();
  for (RewardPolicy& policy : policies) policy = WithDefaults(std::move(policy));
  return policies;
}

RewardPolicy WithDefaults(RewardPolicy policy) {
  switch (policy.family_case()) {
    case RewardPolicy::kCudaperf:
      SetCudaPerfDefaults(*policy.mutable_cudaperf());
      break;
    case RewardPolicy::kKevin:
      if (!policy.kevin().has_bonus()) policy.mutable_kevin()->set_bonus(0.3);
      if (!policy.kevin().has_speed()) policy.mutable_kevin()->set_speed(1);
      break;
    case RewardPolicy::kKernelbenchTinker:
      if (!policy.kernelbench_tinker().has_bonus()) policy.mutable_kernelbench_tinker()->set_bonus(0.3);
      if (!policy.kernelbench_tinker().has_gain_limit()) policy.mutable_kernelbench_tinker()->set_gain_limit(10);
      break;
    case RewardPolicy::kDrKernel:
    case RewardPolicy::kSpeedOfLight:
    case RewardPolicy::FAMILY_NOT_SET:
      break;
  }
  return policy;
}

absl::Status ValidatePolicy(const RewardPolicy& policy) {
  if (absl::Status status = CheckName(policy); !status.ok()) return status;
  const RewardPolicy full = WithDefaults(policy);
  switch (full.family_case()) {
    case RewardPolicy::kCudaperf:
      return CheckCudaPerf(full);
    case RewardPolicy::kKevin:
      if (absl::Status status = CheckWeight(full, "bonus", full.kevin().bonus()); !status.ok()) return status;
      return CheckWeight(full, "speed", full.kevin().speed());
    case RewardPolicy::kKernelbenchTinker:
      if (absl::Status status = CheckWeight(full, "bonus", full.kernelbench_tinker().bonus()); !status.ok())
        return status;
      return CheckWeight(full, "gain_limit", full.kernelbench_tinker().gain_limit());
    case RewardPolicy::kDrKernel:
    case RewardPolicy::kSpeedOfLight:
      return absl::OkStatus();
    case RewardPolicy::FAMILY_NOT_SET:
      break;
  }
  return Invalid(policy, "family", "must be one of cudaperf, kevin, dr_kernel, kernelbench_tinker, speed_of_light");
}

absl::StatusOr<std::vector<RewardPolicy>> ResolvePolicies(
    const google::protobuf::RepeatedPtrField<RewardPolicy>& configured) {
  std::vector<RewardPolicy> policies = ShippedPolicies();
  for (const RewardPolicy& policy : configured) {
    if (absl::Status status = ValidatePolicy(policy); !status.ok()) return status;
    for (const RewardPolicy& other : policies) {
      if (other.name() == policy.name())
        return Invalid(policy, "name", "is taken; give changed weights a name of their own");
    }
    policies.push_back(WithDefaults(policy));
  }
  return policies;
}

}  // namespace cudaperf::ranker
