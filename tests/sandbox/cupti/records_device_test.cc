// What the activity records tell, what recording costs, and how it goes with counting.
#include <functional>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "gtest/gtest.h"
#include "sandbox/cupti/activity_recorder.h"
#include "sandbox/cupti/launch_description.h"
#include "sandbox/cupti/range_profiler.h"
#include "tests/sandbox/cupti/counters_fixture.h"

namespace cudaperf::sandbox {
namespace {

using reward::v1::PROFILE_LEVEL_CORE;
using worker::v1::GpuActivity;
using worker::v1::GpuRecordsResponse;

class RecordsTest : public CountersTest {
 protected:
  void SetUp() override {
    CountersTest::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    absl::StatusOr<std::unique_ptr<ActivityRecorder>> recorder = ActivityRecorder::Start(&cupti());
    ASSERT_TRUE(recorder.ok()) << recorder.status();
    recorder_ = *std::move(recorder);
  }

  GpuRecordsResponse Record(const std::string& kernel, Shape shape, int elements = kElements) const {
    EXPECT_TRUE(recorder_->Begin().ok());
    EXPECT_TRUE(Run(kernel, shape, elements).ok());
    absl::StatusOr<GpuRecordsResponse> records = recorder_->End();
    EXPECT_TRUE(records.ok()) << records.status();
    return records.ok() ? *records : GpuRecordsResponse();
  }

  std::unique_ptr<ActivityRecorder> recorder_;
};

TEST_F(RecordsTest, KernelsCopiesAndFillsAreRecordedInOrder) {
  ASSERT_TRUE(Run("copy", {64, 128}).ok());
  ASSERT_TRUE(recorder_->Begin().ok());
  std::vector<float> host(1024);
  driver().MemcpyHtoD(input(), host.data(), 4096);
  driver().MemsetD8(output(), 3, 8192);
  ASSERT_TRUE(Launch("conflict", {3, 64}).ok());
  driver().MemcpyDtoD(output(), input(), 2048);
  driver().MemcpyDtoH(host.data(), output(), 1024);
  ASSERT_TRUE(Synchronize().ok());
  absl::StatusOr<GpuRecordsResponse> records = recorder_->End();
  ASSERT_TRUE(records.ok()) << records.status();
  ASSERT_EQ(records->activities_size(), 5) << records->DebugString();
  const auto& activities = records->activities();
  const std::vector<std::pair<GpuActivity::Kind, int64_t>> expected = {{GpuActivity::KIND_COPY_HOST_TO_DEVICE, 4096},
                                                                       {GpuActivity::KIND_FILL, 8192},
                                                                       {GpuActivity::KIND_KERNEL, 0},
                                                                       {GpuActivity::KIND_COPY_DEVICE_TO_DEVICE, 2048},
                                                                       {GpuActivity::KIND_COPY_DEVICE_TO_HOST, 1024}};
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(activities[i].kind(), expected[i].first);
    EXPECT_EQ(activities[i].size_bytes(), expected[i].second);
    EXPECT_LT(activities[i].start_ns(), activities[i].end_ns());
    if (i > 0) {
      EXPECT_LE(activities[i - 1].end_ns(), activities[i].start_ns());
    }
  }
  EXPECT_EQ(activities[2].kernel(), "conflict");
  EXPECT_EQ(activities[2].grid(0), 3);
  EXPECT_EQ(activities[2].block(0), 64);
  EXPECT_EQ(activities[2].static_shared_bytes(), 4096);
  EXPECT_GT(activities[2].register_count(), 0);
  EXPECT_EQ(records->dropped_count(), 0);
}

TEST_F(RecordsTest, EveryCallIsRecordedOnceAndAtOnce) {
  std::vector<absl::Duration> begin_costs, end_costs;
  int missing = 0;
  for (int i = 0; i < 1000; ++i) {
    absl::Time begin = absl::Now();
    ASSERT_TRUE(recorder_->Begin().ok());
    begin_costs.push_back(absl::Now() - begin);
    ASSERT_TRUE(Run("copy", {i + 1, 64}).ok());
    begin = absl::Now();
    absl::StatusOr<GpuRecordsResponse> records = recorder_->End();
    end_costs.push_back(absl::Now() - begin);
    ASSERT_TRUE(records.ok()) << records.status();
    if (records->activities_size() != 1 || records->activities(0).grid(0) != i + 1) ++missing;
  }
  EXPECT_EQ(missing, 0);
  PrintFigure("Begin p50 / worst, us",
              absl::StrCat(absl::ToDoubleMicroseconds(Median(begin_costs)), " / ",
                           absl::ToDoubleMicroseconds(*std::max_element(begin_costs.begin(), begin_costs.end()))));
  PrintFigure("End with one kernel p50 / worst, us",
              absl::StrCat(absl::ToDoubleMicroseconds(Median(end_costs)), " / ",
                           absl::ToDoubleMicroseconds(*std::max_element(end_costs.begin(), end_costs.end()))));
  EXPECT_LT(Median(end_costs), absl::Microseconds(100));
}

TEST_F(RecordsTest, RecordsBeyondTheMemoryForThemAreCountedAsDropped) {
  const int launches = 120'000;
  ASSERT_TRUE(recorder_->Begin().ok());
  for (int i = 0; i < launches; ++i) ASSERT_TRUE(Launch("nothing", {1, 32}).ok());
  ASSERT_TRUE(Synchronize().ok());
  const absl::Time begin = absl::Now();
  absl::StatusOr<GpuRecordsResponse> records = recorder_->End();
  ASSERT_TRUE(records.ok()) << records.status();
  PrintFigure("End of 120,000 launches",
              absl::StrCat(absl::FormatDuration(absl::Now() - begin), ", kept ", records->activities_size(),
                           ", dropped ", records->dropped_count()));
  EXPECT_GT(records->dropped_count(), 0);
  EXPECT_EQ(records->activities_size() + records->dropped_count(), launches);
  EXPECT_EQ(Record("copy", {5, 64}).activities_size(), 1);
}

TEST_F(RecordsTest, RecordedTimesAreThoseOfTheCounters) {
  for (const char* kernel : {"nothing", "copy", "copy_strided", "copy_float4", "multiply_add", "barriers"}) {
    std::vector<int64_t> recorded, counted;
    for (int i = 0; i < 41; ++i) {
      const GpuRecordsResponse records = Record(kernel, {kElements / 256, 256});
      ASSERT_EQ(records.activities_size(), 1);
      recorded.push_back(records.activities(0).end_ns() - records.activities(0).start_ns());
    }
    ASSERT_TRUE(recorder_->Pause().ok());
    for (int i = 0; i < 5; ++i) counted.push_back(Nanoseconds(Count(PROFILE_LEVEL_CORE, kernel)));
    ASSERT_TRUE(recorder_->Resume().ok());
    PrintFigure(absl::StrCat(kernel, " recorded / counted ns"), absl::StrCat(Median(recorded), " / ", Median(counted)));
    // A record's time holds some microseconds of starting and ending.
    EXPECT_NEAR(Median(recorded), Median(counted), 0.02 * Median(counted) + 4000) << kernel;
  }
}

TEST_F(RecordsTest, RecordingGoesOnAfterCounting) {
  std::vector<absl::Duration> costs;
  for (int i = 0; i < 9; ++i) {
    const GpuRecordsResponse records = Record("copy", {kElements / 256, 256});
    absl::Time begin = absl::Now();
    ASSERT_TRUE(recorder_->Pause().ok());
    absl::Duration cost = absl::Now() - begin;
    absl::StatusOr<KernelProfile> profile = Profile(PROFILE_LEVEL_CORE, "copy", {kElements / 256, 256});
    ASSERT_TRUE(profile.ok()) << profile.status();
    begin = absl::Now();
    ASSERT_TRUE(recorder_->Resume().ok());
    costs.push_back(cost + (absl::Now() - begin));
    ASSERT_TRUE(DescribeLaunches(records, absl::MakeSpan(profile->executions)));
    EXPECT_EQ(profile->executions[0].kernel(), "copy");
    EXPECT_EQ(Record("copy", {7, 64}).activities_size(), 1);
  }
  PrintFigure("Pause and Resume p50", absl::FormatDuration(Median(costs)));
}

TEST_F(RecordsTest, ThereIsOneRecorder) {
  EXPECT_EQ(ActivityRecorder::Start(&cupti()).status().code(), absl::StatusCode::kFailedPrecondition);
}

TEST_F(RecordsTest, CountingWhileRecordingCountsAndLosesTheRecords) {
  ASSERT_TRUE(recorder_->Begin().ok());
  absl::StatusOr<KernelProfile> profile = Profile(PROFILE_LEVEL_CORE, "copy", {kElements / 256, 256});
  ASSERT_TRUE(profile.ok()) << profile.status();
  EXPECT_EQ(profile->executions.size(), 1);
  absl::StatusOr<GpuRecordsResponse> records = recorder_->End();
  ASSERT_TRUE(records.ok()) << records.status();
  EXPECT_EQ(records->activities_size(), 0);
}

TEST_F(CountersTest, DISABLED_StaysAttached) {
  const absl::Status attached = profiler_->Attach({});
  EXPECT_TRUE(attached.ok()) << attached;
  WaitForTheOtherEnd();
}

TEST_F(RecordsTest, ProcessThatStaysAttachedDisturbsNoOther) {
  const auto times = [this] {
    std::vector<int64_t> recorded;
    for (int i = 0; i < 201; ++i) {
      const GpuActivity activity = Record("copy", {kElements / 256, 256}).activities(0);
      recorded.push_back(activity.end_ns() - activity.start_ns());
    }
    return Median(recorded);
  };
  const int64_t alone = times();
  Neighbour neighbour("CountersTest.DISABLED_StaysAttached");
  ASSERT_TRUE(neighbour.ready());
  const int64_t beside = times();
  PrintFigure("recorded ns alone / beside an attached process", absl::StrCat(alone, " / ", beside));
  EXPECT_NEAR(beside, alone, 0.03 * alone);
  ASSERT_TRUE(recorder_->Pause().ok());
  absl::StatusOr<KernelProfile> profile = Profile(PROFILE_LEVEL_CORE, "copy", {kElements / 256, 256});
  PrintFigure("counting beside an attached process", profile.ok() ? "works" : profile.status().ToString());
  EXPECT_TRUE(profile.ok() || absl::IsUnavailable(profile.status())) << profile.status();
}

// Median cost of a launch of an empty kernel, and of one that is waited for.
std::pair<absl::Duration, absl::Duration> LaunchCosts(const std::function<absl::Status()>& launch,
                                                      const std::function<absl::Status()>& wait) {
  std::vector<absl::Duration> launches, calls;
  for (int i = 0; i < 2000; ++i) {
    const absl::Time begin = absl::Now();
    if (!launch().ok()) return {};
    launches.push_back(absl::Now() - begin);
    if (!wait().ok()) return {};
    calls.push_back(absl::Now() - begin);
  }
  return {Median(launches), Median(calls)};
}

TEST_F(CuptiDeviceTest, DISABLED_LaunchCostsMoreWhileRecorded) {
  const auto launch = [this] { return Launch("nothing", {1, 32}); };
  const auto wait = [this] { return Synchronize(); };
  LaunchCosts(launch, wait);
  const auto [bare_launch, bare_call] = LaunchCosts(launch, wait);
  absl::Time begin = absl::Now();
  absl::StatusOr<std::unique_ptr<ActivityRecorder>> recorder = ActivityRecorder::Start(&cupti());
  ASSERT_TRUE(recorder.ok()) << recorder.status();
  PrintFigure("ActivityRecorder::Start", absl::FormatDuration(absl::Now() - begin));
  LaunchCosts(launch, wait);
  const auto [recorded_launch, recorded_call] = LaunchCosts(launch, wait);
  PrintFigure("launch bare / recorded, us", absl::StrCat(absl::ToDoubleMicroseconds(bare_launch), " / ",
                                                         absl::ToDoubleMicroseconds(recorded_launch)));
  PrintFigure("launch and wait bare / recorded, us",
              absl::StrCat(absl::ToDoubleMicroseconds(bare_call), " / ", absl::ToDoubleMicroseconds(recorded_call)));
  ASSERT_TRUE((*recorder)->Pause().ok());
  const auto [paused_launch, paused_call] = LaunchCosts(launch, wait);
  PrintFigure("launch, launch and wait when paused, us",
              absl::StrCat(absl::ToDoubleMicroseconds(paused_launch), ", ", absl::ToDoubleMicroseconds(paused_call)));
  EXPECT_LT(recorded_call - bare_call, absl::Microseconds(30));
}

TEST_F(CuptiDeviceTest, LaunchCostsLittleMoreWhileRecorded) {
  EXPECT_EQ(RunAnew("CuptiDeviceTest.DISABLED_LaunchCostsMoreWhileRecorded"), 0);
}

// For a look from outside, by ncu.
TEST_F(CuptiDeviceTest, DISABLED_RunsKernelsOnly) {
  for (const char* kernel : {"copy", "copy_strided", "copy_float4", "multiply_add", "barriers"}) {
    for (int i = 0; i < 5; ++i) ASSERT_TRUE(Run(kernel, {kElements / 256, 256}).ok());
  }
}

}  // namespace
}  // namespace cudaperf::sandbox
