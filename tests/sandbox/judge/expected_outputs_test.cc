#include "sandbox/judge/expected_outputs.h"

#include <gtest/gtest.h>

#include <string>

namespace cudaperf::sandbox {
namespace {

std::shared_ptr<const CaseDraw> DrawOf(int64_t bytes) {
  auto draw = std::make_shared<CaseDraw>();
  draw->inputs = {std::string(bytes / 2, 'i')};
  draw->expected = {std::string(bytes - bytes / 2, 'e')};
  return draw;
}

ExpectedOutputs::Key KeyOf(int index) { return {.task_id = "sha256:t", .case_index = index, .call = 0}; }

TEST(ExpectedOutputsTest, LeastRecentlyUsedGoesFirst) {
  ExpectedOutputs known(100, absl::InfiniteDuration());
  known.BeginRequest(absl::UnixEpoch());
  known.Insert(KeyOf(1), DrawOf(40));
  known.Insert(KeyOf(2), DrawOf(40));
  EXPECT_NE(known.Find(KeyOf(1)), nullptr);
  known.Insert(KeyOf(3), DrawOf(40));
  EXPECT_NE(known.Find(KeyOf(1)), nullptr);
  EXPECT_EQ(known.Find(KeyOf(2)), nullptr);
  EXPECT_NE(known.Find(KeyOf(3)), nullptr);
  EXPECT_EQ(known.size_bytes(), 80);
}

TEST(ExpectedOutputsTest, OneTooLargeIsNotKept) {
  ExpectedOutputs known(100, absl::InfiniteDuration());
  known.Insert(KeyOf(1), DrawOf(40));
  known.Insert(KeyOf(2), DrawOf(101));
  EXPECT_NE(known.Find(KeyOf(1)), nullptr);
  EXPECT_EQ(known.Find(KeyOf(2)), nullptr);
}

TEST(ExpectedOutputsTest, CallsAndTasksAreApart) {
  ExpectedOutputs known(100, absl::InfiniteDuration());
  known.Insert(KeyOf(1), DrawOf(10));
  EXPECT_EQ(known.Find({.task_id = "sha256:t", .case_index = 1, .call = 1}), nullptr);
  EXPECT_EQ(known.Find({.task_id = "sha256:u", .case_index = 1, .call = 0}), nullptr);
}

TEST(ExpectedOutputsTest, EpochBringsANewSeedAndForgets) {
  ExpectedOutputs known(100, absl::Minutes(10));
  const absl::Time start = absl::UnixEpoch();
  const Seed first = known.BeginRequest(start);
  known.Insert(KeyOf(1), DrawOf(10));
  EXPECT_EQ(known.BeginRequest(start + absl::Minutes(9)), first);
  EXPECT_NE(known.Find(KeyOf(1)), nullptr);
  EXPECT_NE(known.BeginRequest(start + absl::Minutes(10)), first);
  EXPECT_EQ(known.Find(KeyOf(1)), nullptr);
  EXPECT_EQ(known.size_bytes(), 0);
}

}  // namespace
}  // namespace cudaperf::sandbox
