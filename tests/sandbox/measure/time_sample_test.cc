#include "sandbox/measure/time_sample.h"

#include <gtest/gtest.h>

#include "proto/duration.h"

namespace cudaperf::sandbox {
namespace {

TimeSample Of(std::initializer_list<double> microseconds) {
  TimeSample sample;
  for (const double time : microseconds) sample.Add(absl::Microseconds(time));
  return sample;
}

TEST(TimeSampleTest, MedianOfAnEvenNumberLiesBetween) {
  EXPECT_EQ(proto::FromProto(Of({1, 2, 4, 8}).Summarize().median()), absl::Microseconds(3));
}

TEST(TimeSampleTest, FewTimesTellNothingOfTheMedian) {
  EXPECT_EQ(Of({5, 5, 5, 5, 5}).Interval(), absl::InfiniteDuration());
  EXPECT_FALSE(Of({5, 5, 5, 5, 5}).IsTight(0.01));
}

TEST(TimeSampleTest, EqualTimesAreTight) { EXPECT_TRUE(Of({5, 5, 5, 5, 5, 5, 5, 5}).IsTight(0.01)); }

TEST(TimeSampleTest, IntervalComesFromOrderStatistics) {
  // n = 10: P(fewer than 2 below the median) = 11/1024, of fewer than 3 56/1024: the 2nd and the 9th.
  EXPECT_EQ(Of({10, 9, 8, 7, 6, 5, 4, 3, 2, 1}).Interval(), absl::Microseconds(3.5));
}

TEST(TimeSampleTest, AnInterruptDoesNotMakeACandidateUnsteady) {
  const auto statistics = Of({100, 101, 99, 100, 101, 99, 100, 5000}).Summarize();
  EXPECT_LT(statistics.coefficient_of_variation(), 0.02);
  EXPECT_EQ(proto::FromProto(statistics.median()), absl::Microseconds(100));
  EXPECT_EQ(proto::FromProto(statistics.min()), absl::Microseconds(99));
  EXPECT_EQ(statistics.iteration_count(), 8);
}

TEST(TimeSampleTest, SpreadShowsInTheCoefficientOfVariation) {
  EXPECT_NEAR(Of({90, 110, 90, 110, 90, 110}).Summarize().coefficient_of_variation(), 0.1, 1e-6);
}

}  // namespace
}  // namespace cudaperf::sandbox
