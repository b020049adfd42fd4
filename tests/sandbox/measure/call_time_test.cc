#include "sandbox/measure/call_time.h"

#include <gtest/gtest.h>

namespace cudaperf::sandbox {
namespace {

worker::v1::GpuRecordsResponse Records(std::initializer_list<std::pair<int64_t, int64_t>> spans) {
  worker::v1::GpuRecordsResponse records;
  for (const auto& [start, end] : spans) {
    worker::v1::GpuActivity* activity = records.add_activities();
    activity->set_start_ns(start);
    activity->set_end_ns(end);
  }
  return records;
}

TEST(CallTimeTest, GapsBetweenKernelsCount) {
  EXPECT_EQ(Span(Records({{1000, 3000}, {8000, 9000}})), absl::Nanoseconds(8000));
}

TEST(CallTimeTest, KernelsThatOverlapCountOnce) {
  EXPECT_EQ(Span(Records({{1000, 9000}, {2000, 3000}})), absl::Nanoseconds(8000));
}

TEST(CallTimeTest, NothingDoneTakesNoTime) { EXPECT_EQ(Span(Records({})), absl::ZeroDuration()); }

TEST(CallTimeTest, RecordsThatRunBackwardsTakeNoTime) {
  EXPECT_EQ(Span(Records({{9000, 1000}})), absl::ZeroDuration());
}

TEST(CallTimeTest, TheJudgesClockBoundsForgedRecords) {
  EXPECT_EQ(BoundedTime(absl::Microseconds(1), absl::Microseconds(540), absl::Microseconds(40)),
            absl::Microseconds(500));
}

TEST(CallTimeTest, HonestRecordsStand) {
  EXPECT_EQ(BoundedTime(absl::Microseconds(500), absl::Microseconds(530), absl::Microseconds(40)),
            absl::Microseconds(500));
}

TEST(CallTimeTest, WhatTheCacheHoldsNeedsNoMemory) {
  EXPECT_EQ(LeastTime(60 << 20, 60 << 20, 4.8e12), absl::ZeroDuration());
}

TEST(CallTimeTest, BytesBeyondTheCacheNeedTheMemorysTime) {
  EXPECT_EQ(LeastTime(4'800'000 + 1000, 1000, 4.8e12), absl::Microseconds(1));
}

}  // namespace
}  // namespace cudaperf::sandbox
