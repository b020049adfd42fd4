#include "sandbox/judge/comparison.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "sandbox/task/half.h"

namespace cudaperf::sandbox {
namespace {

using reward::v1::Mismatch;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

template <typename T>
absl::string_view Bytes(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

std::optional<Mismatch> CompareFloats(const std::vector<float>& got, const std::vector<float>& expected,
                                      ElementTolerance tolerance = {.relative = 1e-5, .scaled = 1e-6}) {
  return Compare({.got = Bytes(got),
                  .expected = Bytes(expected),
                  .type = reward::v1::DATA_TYPE_FLOAT32,
                  .tolerance = tolerance,
                  .expected_rms = RootMeanSquare(Bytes(expected), reward::v1::DATA_TYPE_FLOAT32),
                  .poison = 0xFB});
}

// 1..count with `damage` done to it, compared with 1..count.
Mismatch MismatchAfter(const std::function<void(std::vector<float>&)>& damage, int count = 1000) {
  std::vector<float> expected(count);
  for (int i = 0; i < count; ++i) expected[i] = static_cast<float>(i + 1);
  std::vector<float> got = expected;
  damage(got);
  const std::optional<Mismatch> mismatch = CompareFloats(got, expected);
  EXPECT_TRUE(mismatch.has_value());
  return mismatch.value_or(Mismatch());
}

TEST(ComparisonTest, EqualBuffersAreRight) { EXPECT_FALSE(CompareFloats({1, 2, 3}, {1, 2, 3}).has_value()); }

TEST(ComparisonTest, RelativeAndScaledErrorsAddUp) {
  const ElementTolerance tolerance = {.relative = 0.1, .scaled = 0.01};
  // rms of the expected buffer is 100 / sqrt(2) = 70.7: 0.707 is forgiven everywhere, a tenth of the value on top.
  EXPECT_FALSE(CompareFloats({110.7f, 0.7f}, {100, 0}, tolerance).has_value());
  EXPECT_TRUE(CompareFloats({110.8f, 0}, {100, 0}, tolerance).has_value());
  EXPECT_TRUE(CompareFloats({100, 0.72f}, {100, 0}, tolerance).has_value());
}

TEST(ComparisonTest, NonFiniteIsRightOnlyWhereExpectedAndAllowed) {
  const ElementTolerance allowed = {.relative = 1e-5, .scaled = 1e-6, .allow_non_finite = true};
  EXPECT_TRUE(CompareFloats({kNan}, {1}).has_value());
  EXPECT_TRUE(CompareFloats({kNan}, {kNan}).has_value());
  EXPECT_TRUE(CompareFloats({kInfinity}, {kInfinity}).has_value());
  EXPECT_FALSE(CompareFloats({kNan, kInfinity, -kInfinity}, {kNan, kInfinity, -kInfinity}, allowed).has_value());
  EXPECT_TRUE(CompareFloats({kInfinity}, {-kInfinity}, allowed).has_value());
  EXPECT_TRUE(CompareFloats({1}, {kInfinity}, allowed).has_value());
  EXPECT_TRUE(CompareFloats({kInfinity}, {1}, allowed).has_value());
}

TEST(ComparisonTest, LargeBuffersAreComparedLikeSingleElements) {
  // Errors on both sides of what is allowed, in every chunk but the first.
  std::vector<float> expected(8192), got(8192);
  for (int i = 0; i < 8192; ++i) {
    expected[i] = static_cast<float>((i % 13 - 6) * std::pow(10.0, i % 5 - 2));
    got[i] = i < 2048 ? expected[i] : expected[i] * (1 + 1e-5f * static_cast<float>(i % 41 - 20) / 18);
  }
  const double rms = RootMeanSquare(Bytes(expected), reward::v1::DATA_TYPE_FLOAT32);
  int64_t wrong = 0;
  for (int i = 0; i < 8192; ++i) {
    const double error = std::abs(static_cast<double>(got[i]) - expected[i]);
    wrong += error > 1e-5 * std::abs(static_cast<double>(expected[i])) + 1e-7 * rms ? 1 : 0;
  }
  ASSERT_GT(wrong, 0);
  const auto mismatch = CompareFloats(got, expected, {.relative = 1e-5, .scaled = 1e-7});
  ASSERT_TRUE(mismatch.has_value());
  EXPECT_EQ(mismatch->mismatch_count(), wrong);

  got = expected;
  got[5000] = kNan;
  EXPECT_EQ(CompareFloats(got, expected).value_or(Mismatch()).mismatch_count(), 1);
  got[5000] = expected[5000];
  EXPECT_FALSE(CompareFloats(got, expected).has_value());
}

TEST(ComparisonTest, IntegersAreComparedExactly) {
  const std::vector<uint64_t> expected = {0, uint64_t{1} << 63, 5};
  std::vector<uint64_t> got = expected;
  const auto compare = [&] {
    return Compare({.got = Bytes(got),
                    .expected = Bytes(expected),
                    .type = reward::v1::DATA_TYPE_UINT64,
                    .tolerance = {.relative = 0.5, .scaled = 0.5}});
  };
  EXPECT_FALSE(compare().has_value());
  got[1] += 1;
  ASSERT_TRUE(compare().has_value());
  EXPECT_EQ(compare()->elements(0).got(), "9223372036854775809");
  EXPECT_EQ(compare()->elements(0).expected(), "9223372036854775808");
}

TEST(ComparisonTest, HalvesAreComparedAsNumbers) {
  const std::vector<uint16_t> expected = {FloatToHalf(1.0f), FloatToHalf(2.0f)};
  const std::vector<uint16_t> close = {FloatToHalf(1.003f), FloatToHalf(2.0f)};
  const std::vector<uint16_t> far = {FloatToHalf(1.02f), FloatToHalf(2.0f)};
  const auto compare = [&](const std::vector<uint16_t>& got) {
    return Compare({.got = Bytes(got),
                    .expected = Bytes(expected),
                    .type = reward::v1::DATA_TYPE_FLOAT16,
                    .tolerance = {.relative = 4e-3, .scaled = 1e-3},
                    .expected_rms = RootMeanSquare(Bytes(expected), reward::v1::DATA_TYPE_FLOAT16)});
  };
  EXPECT_FALSE(compare(close).has_value());
  EXPECT_TRUE(compare(far).has_value());
}

TEST(ComparisonTest, FirstEightWrongElementsAreListedWithAllDigits) {
  const Mismatch mismatch = MismatchAfter([](auto& v) {
    for (size_t i = 100; i < 200; ++i) v[i] = 0.1f;
  });
  EXPECT_EQ(mismatch.mismatch_count(), 100);
  EXPECT_EQ(mismatch.element_count(), 1000);
  ASSERT_EQ(mismatch.elements_size(), 8);
  EXPECT_EQ(mismatch.elements(7).index(), 107);
  EXPECT_EQ(mismatch.elements(0).got(), "0.100000001");
  EXPECT_EQ(mismatch.elements(0).expected(), "101");
  EXPECT_NEAR(mismatch.max_absolute_error(), 199.9, 1e-3);
  EXPECT_NEAR(mismatch.max_relative_error(), 1.0, 1e-2);
}

TEST(ComparisonTest, PatternsAreRecognised) {
  using reward::v1::MismatchPattern;
  const auto pattern = [](const std::function<void(std::vector<float>&)>& damage) {
    return MismatchAfter(damage).pattern();
  };
  EXPECT_EQ(pattern([](auto& v) {
              for (float& x : v) x += 1;
            }),
            reward::v1::MISMATCH_PATTERN_ALL);
  EXPECT_EQ(pattern([](auto& v) {
              for (float& x : v) x = 0;
            }),
            reward::v1::MISMATCH_PATTERN_ALL_ZERO);
  EXPECT_EQ(pattern([](auto& v) { std::fill(v.begin() + 997, v.end(), -1.0f); }), reward::v1::MISMATCH_PATTERN_TAIL);
  EXPECT_EQ(pattern([](auto& v) { v.back() = -1; }), reward::v1::MISMATCH_PATTERN_TAIL);
  EXPECT_EQ(pattern([](auto& v) { std::fill(v.begin(), v.begin() + 32, -1.0f); }), reward::v1::MISMATCH_PATTERN_HEAD);
  EXPECT_EQ(pattern([](auto& v) { std::fill(v.begin() + 5, v.begin() + 32, -1.0f); }),
            reward::v1::MISMATCH_PATTERN_RUN);
  EXPECT_EQ(pattern([](auto& v) { v[3] = v[77] = v[500] = -1; }), reward::v1::MISMATCH_PATTERN_SCATTERED);
  EXPECT_EQ(pattern([](auto& v) { v[3] = v[7] = v[11] = v[15] = v[20] = -1; }), reward::v1::MISMATCH_PATTERN_SCATTERED);
  EXPECT_EQ(pattern([](auto& v) {
              for (size_t i = 9; i < 90; i += 5) v[i] = kNan;
            }),
            reward::v1::MISMATCH_PATTERN_NON_FINITE);
  EXPECT_EQ(pattern([](auto& v) { std::memset(v.data() + 10, 0xFB, 40); }), reward::v1::MISMATCH_PATTERN_UNTOUCHED);
}

TEST(ComparisonTest, StrideIsTheDistanceOfTheWrongElements) {
  const Mismatch mismatch = MismatchAfter([](auto& v) {
    for (size_t i = 31; i < v.size(); i += 32) v[i] = -1;
  });
  EXPECT_EQ(mismatch.pattern(), reward::v1::MISMATCH_PATTERN_STRIDED);
  EXPECT_EQ(mismatch.stride(), 32);
}

TEST(ComparisonTest, WrongElementsInLaterChunksAreFound) {
  const Mismatch mismatch = MismatchAfter([](auto& v) { v[99999] = v[50000] = -1; }, 100000);
  ASSERT_EQ(mismatch.mismatch_count(), 2);
  EXPECT_EQ(mismatch.elements(0).index(), 50000);
  EXPECT_EQ(mismatch.elements(1).index(), 99999);
}

TEST(ComparisonTest, SentenceTellsPatternAndFirstElement) {
  Mismatch mismatch = MismatchAfter([](auto& v) { std::memset(v.data() + 997, 0xFB, 12); });
  mismatch.set_parameter("y");
  EXPECT_EQ(
      DescribeMismatch(mismatch),
      "y: 3 of 1000 elements are wrong (they were never written); element 997: got -2.61675457e+36, expected 998");
}

TEST(ToleranceTest, DefaultsDependOnTheTypeAndParametersReplaceTheTasks) {
  reward::v1::CudaTask task;
  reward::v1::Parameter parameter;
  parameter.set_dtype(reward::v1::DATA_TYPE_FLOAT64);
  EXPECT_EQ(ToleranceOf(task, parameter).relative, 1e-11);
  task.mutable_tolerance()->set_relative(0.25);
  EXPECT_EQ(ToleranceOf(task, parameter).relative, 0.25);
  EXPECT_EQ(ToleranceOf(task, parameter).scaled, 1e-12);
  parameter.mutable_tolerance()->set_scaled(0.5);
  EXPECT_EQ(ToleranceOf(task, parameter).relative, 1e-11);
  EXPECT_EQ(ToleranceOf(task, parameter).scaled, 0.5);
  parameter.set_dtype(reward::v1::DATA_TYPE_INT32);
  EXPECT_EQ(ToleranceOf(task, parameter).scaled, 0);
}

}  // namespace
}  // namespace cudaperf::sandbox
