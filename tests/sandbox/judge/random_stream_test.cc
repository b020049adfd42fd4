#include "sandbox/judge/random_stream.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace cudaperf::sandbox {
namespace {

const Seed kSeed = {1, 2, 3};

TEST(RandomStreamTest, SameKeySameWords) {
  const RandomStream a(kSeed, "task", "case", "x", 0);
  const RandomStream b(kSeed, "task", "case", "x", 0);
  for (uint64_t i = 0; i < 100; ++i) EXPECT_EQ(a.Word(i), b.Word(i));
}

TEST(RandomStreamTest, EveryPartOfTheKeyCounts) {
  std::set<uint64_t> words;
  words.insert(RandomStream(kSeed, "task", "case", "x", 0).Word(0));
  words.insert(RandomStream({9}, "task", "case", "x", 0).Word(0));
  words.insert(RandomStream(kSeed, "tas", "kcase", "x", 0).Word(0));
  words.insert(RandomStream(kSeed, "task", "other", "x", 0).Word(0));
  words.insert(RandomStream(kSeed, "task", "case", "y", 0).Word(0));
  words.insert(RandomStream(kSeed, "task", "case", "x", 1).Word(0));
  EXPECT_EQ(words.size(), 6u);
}

TEST(RandomStreamTest, UniformAndNormalHaveTheirMoments) {
  const RandomStream stream(kSeed, "task", "case", "x", 0);
  constexpr int kCount = 100000;
  double uniform = 0, normal = 0, square = 0;
  for (int i = 0; i < kCount; ++i) {
    const double unit = stream.Unit(i);
    ASSERT_GE(unit, 0.0);
    ASSERT_LT(unit, 1.0);
    uniform += unit;
    normal += stream.Normal(i);
    square += stream.Normal(i) * stream.Normal(i);
  }
  EXPECT_NEAR(uniform / kCount, 0.5, 0.005);
  EXPECT_NEAR(normal / kCount, 0.0, 0.015);
  EXPECT_NEAR(std::sqrt(square / kCount), 1.0, 0.015);
}

TEST(RandomStreamTest, BelowReachesBothEnds) {
  const RandomStream stream(kSeed, "task", "case", "x", 0);
  std::set<uint64_t> values;
  for (int i = 0; i < 1000; ++i) values.insert(stream.Below(i, 5));
  EXPECT_EQ(values, (std::set<uint64_t>{0, 1, 2, 3, 4}));
}

TEST(RandomStreamTest, SeedsDiffer) { EXPECT_NE(RandomSeed(), RandomSeed()); }

}  // namespace
}  // namespace cudaperf::sandbox
