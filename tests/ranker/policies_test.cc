#include "ranker/policies.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>
#include <string>

namespace cudaperf::ranker {
namespace {

using config::v1::RewardPolicy;

RewardPolicy CudaPerfNamed(const std::string& name) {
  RewardPolicy policy;
  policy.set_name(name);
  policy.mutable_cudaperf();
  return policy;
}

TEST(PoliciesTest, ShippedPoliciesAreValidUniqueAndStartWithTheDefault) {
  std::set<std::string> names;
  for (const RewardPolicy& policy : ShippedPolicies()) {
    EXPECT_TRUE(ValidatePolicy(policy).ok()) << policy.name();
    EXPECT_TRUE(names.insert(policy.name()).second) << policy.name();
  }
  EXPECT_EQ(ShippedPolicies().front().name(), "cudaperf-v1");
  EXPECT_THAT(names, testing::ElementsAre("cudaperf-v1", "dr-kernel", "kernelbench-tinker", "kevin", "sol"));
}

TEST(PoliciesTest, DefaultsAreThePapersAndOnlyFillWhatIsMissing) {
  RewardPolicy policy = CudaPerfNamed("p");
  policy.mutable_cudaperf()->set_alpha_wrong(0);
  const RewardPolicy full = WithDefaults(policy);
  EXPECT_EQ(full.cudaperf().alpha_wrong(), 0);
  EXPECT_EQ(full.cudaperf().alpha_compile(), 3);
  EXPECT_EQ(full.cudaperf().clip_low(), -0.5);
  EXPECT_EQ(full.cudaperf().clip_high(), 4);
}

TEST(PoliciesTest, WeightsMustBeFiniteMagnitudes) {
  for (const double weight : {-1.0, std::nan(""), std::numeric_limits<double>::infinity(), 1e7}) {
    RewardPolicy policy = CudaPerfNamed("p");
    policy.mutable_cudaperf()->set_alpha_speed(weight);
    const absl::Status status = ValidatePolicy(policy);
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << weight;
    EXPECT_THAT(std::string(status.message()), testing::HasSubstr("alpha_speed"));
    RewardPolicy kevin;
    kevin.set_name("k");
    kevin.mutable_kevin()->set_bonus(weight);
    EXPECT_FALSE(ValidatePolicy(kevin).ok());
  }
}

TEST(PoliciesTest, ClipMustBeAnInterval) {
  RewardPolicy policy = CudaPerfNamed("p");
  policy.mutable_cudaperf()->set_clip_low(5);
  EXPECT_FALSE(ValidatePolicy(policy).ok());
  policy.mutable_cudaperf()->set_clip_high(5);
  EXPECT_TRUE(ValidatePolicy(policy).ok());
  policy.mutable_cudaperf()->set_clip_low(std::nan(""));
  EXPECT_FALSE(ValidatePolicy(policy).ok());
}

TEST(PoliciesTest, NamesAreShortAndPlain) {
  for (const std::string& name :
       {std::string(), std::string("has space"), std::string("Upper"), std::string(65, 'a')}) {
    EXPECT_FALSE(ValidatePolicy(CudaPerfNamed(name)).ok()) << name;
  }
  EXPECT_TRUE(ValidatePolicy(CudaPerfNamed("cudaperf-v1.1_x")).ok());
}

TEST(PoliciesTest, PolicyNeedsAFamily) {
  RewardPolicy policy;
  policy.set_name("empty");
  EXPECT_FALSE(ValidatePolicy(policy).ok());
}

TEST(PoliciesTest, ConfiguredPoliciesJoinTheShippedOnes) {
  google::protobuf::RepeatedPtrField<RewardPolicy> configured;
  *configured.Add() = CudaPerfNamed("mine-v1");
  const auto policies = ResolvePolicies(configured);
  ASSERT_TRUE(policies.ok());
  EXPECT_EQ(policies->size(), ShippedPolicies().size() + 1);
  EXPECT_EQ(policies->back().cudaperf().alpha_compile(), 3);
}

TEST(PoliciesTest, NamesCannotBeTakenTwice) {
  google::protobuf::RepeatedPtrField<RewardPolicy> configured;
  *configured.Add() = CudaPerfNamed("cudaperf-v1");
  EXPECT_EQ(ResolvePolicies(configured).status().code(), absl::StatusCode::kInvalidArgument);
  configured.Clear();
  *configured.Add() = CudaPerfNamed("mine");
  *configured.Add() = CudaPerfNamed("mine");
  EXPECT_EQ(ResolvePolicies(configured).status().code(), absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace cudaperf::ranker
