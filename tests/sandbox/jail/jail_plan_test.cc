#include "sandbox/jail/jail_plan.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace cudaperf::sandbox {
namespace {

JailPlan SomePlan() {
  JailPlan plan;
  plan.full = false;
  plan.forking = true;
  plan.wall_ms = 5;
  plan.cpu_ms = 12;
  plan.memory_bytes = 6;
  plan.file_bytes = 7;
  plan.process_count = 8;
  plan.scratch_bytes = 9;
  plan.control_fd = 11;
  plan.readable_paths = {"/a b", "/--"};
  plan.environment = {"X=--", "Y=1=2"};
  plan.argv = {"/bin/x", "--", "--full"};
  return plan;
}

std::optional<JailPlan> Parse(std::vector<std::string> arguments) {
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  return JailPlan::FromArguments(static_cast<int>(pointers.size()), pointers.data());
}

TEST(JailPlanTest, SurvivesTheCommandLine) {
  const std::optional<JailPlan> plan = Parse(SomePlan().ToArguments("jail", "supervise"));
  ASSERT_TRUE(plan.has_value());
  EXPECT_FALSE(plan->full);
  EXPECT_TRUE(plan->forking);
  EXPECT_FALSE(plan->scratch);
  EXPECT_EQ(plan->wall_ms, 5);
  EXPECT_EQ(plan->cpu_ms, 12);
  EXPECT_EQ(plan->memory_bytes, 6);
  EXPECT_EQ(plan->file_bytes, 7);
  EXPECT_EQ(plan->process_count, 8);
  EXPECT_EQ(plan->scratch_bytes, 9);
  EXPECT_EQ(plan->control_fd, 11);
  EXPECT_EQ(plan->readable_paths, SomePlan().readable_paths);
  EXPECT_EQ(plan->environment, SomePlan().environment);
  EXPECT_EQ(plan->argv, SomePlan().argv);
}

TEST(JailPlanTest, UnknownArgumentIsRefused) {
  std::vector<std::string> arguments = SomePlan().ToArguments("jail", "supervise");
  arguments.insert(arguments.begin() + 2, "--lenient");
  EXPECT_FALSE(Parse(arguments).has_value());
}

TEST(JailPlanTest, ZeroLimitIsRefused) {
  JailPlan plan = SomePlan();
  plan.memory_bytes = 0;
  EXPECT_FALSE(Parse(plan.ToArguments("jail", "supervise")).has_value());
}

TEST(JailPlanTest, NumberThatIsNoneIsRefused) {
  std::vector<std::string> arguments = SomePlan().ToArguments("jail", "supervise");
  arguments.insert(arguments.begin() + 2, "--memory=1x");
  EXPECT_FALSE(Parse(arguments).has_value());
}

}  // namespace
}  // namespace cudaperf::sandbox
