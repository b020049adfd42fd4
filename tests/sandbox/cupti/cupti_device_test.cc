// What the counters and records say about kernels whose behaviour is known, and what they cost. Figures are printed.
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "gtest/gtest.h"
#include "sandbox/cupti/activity_recorder.h"
#include "sandbox/cupti/launch_description.h"
#include "sandbox/cupti/profiler_image.h"
#include "sandbox/cupti/range_profiler.h"
#include "tests/sandbox/cupti/device_fixture.h"

namespace cudaperf::sandbox {
namespace {

using reward::v1::Counters;
using reward::v1::KernelExecution;
using reward::v1::PROFILE_LEVEL_CORE;
using reward::v1::PROFILE_LEVEL_FULL;
using reward::v1::ProfileLevel;
using worker::v1::GpuActivity;
using worker::v1::GpuRecordsResponse;

constexpr char kImageFile[] = "CUDAPERF_PROFILER_IMAGE";
constexpr int kWarp = 32;
constexpr int kSmall = 1 << 20;

void Print(const std::string& what, const std::string& figure) { std::cout << "[ FIGURE ] " << what << ": " << figure << "\n"; }

double Microseconds(absl::Duration duration) { return absl::ToDoubleMicroseconds(duration); }

template <typename Value>
Value Median(std::vector<Value> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

int64_t Nanoseconds(const KernelExecution& execution) {
  return execution.hardware().duration().seconds() * 1'000'000'000 + execution.hardware().duration().nanos();
}

class CountersTest : public CuptiDeviceTest {
 protected:
  void SetUp() override {
    CuptiDeviceTest::SetUp();
    if (IsSkipped() || profiler_ != nullptr) return;
    const absl::Time begin = absl::Now();
    absl::StatusOr<worker::v1::ProfilerImage> image = ImageOfAnotherProcess();
    ASSERT_TRUE(image.ok()) << image.status();
    const absl::Time made = absl::Now();
    Print("image bytes", absl::StrCat(image->ByteSizeLong(), " (availability ", image->availability().size(), ", core ",
                                      image->core().image().size(), ", full ", image->full().image().size(), ")"));
    Print("chip and passes", absl::StrCat(image->chip(), ", core ", image->core().pass_count(), ", full ",
                                          image->full().pass_count()));
    Print("another process makes an image, its start included", absl::FormatDuration(made - begin));
    absl::StatusOr<std::unique_ptr<RangeProfiler>> profiler = RangeProfiler::Prepare(&cupti(), context(), *image);
    ASSERT_TRUE(profiler.ok()) << profiler.status();
    Print("RangeProfiler::Prepare", absl::FormatDuration(absl::Now() - made));
    profiler_ = profiler->release();
  }

  // The device's image, as bytes that a process of its own made.
  static absl::StatusOr<worker::v1::ProfilerImage> ImageOfAnotherProcess() {
    const std::string file = absl::StrCat(::testing::TempDir(), "profiler_image.", getpid());
    setenv(kImageFile, file.c_str(), 1);
    const int exit_status = RunAnew("CuptiDeviceTest.DISABLED_WritesItsImage");
    std::stringstream bytes;
    bytes << std::ifstream(file, std::ios::binary).rdbuf();
    unlink(file.c_str());
    worker::v1::ProfilerImage image;
    if (exit_status != 0 || !image.ParseFromString(bytes.str())) return absl::InternalError("the image's maker failed");
    return image;
  }

  absl::StatusOr<KernelProfile> Profile(ProfileLevel level, const std::string& kernel, Shape shape,
                                        int elements = kElements) const {
    return profiler_->Profile({.level = level}, [&] { return Run(kernel, shape, elements); });
  }

  // The counters of one kernel; an empty execution, and a failure, when there is none.
  KernelExecution Count(ProfileLevel level, const std::string& kernel, int elements = kElements) const {
    absl::StatusOr<KernelProfile> profile = Profile(level, kernel, Shape{elements / 256, 256}, elements);
    EXPECT_TRUE(profile.ok()) << profile.status();
    if (!profile.ok()) return {};
    EXPECT_TRUE(profile->call.ok()) << profile->call;
    EXPECT_EQ(profile->executions.size(), 1);
    return profile->executions.empty() ? KernelExecution() : profile->executions[0];
  }

  static RangeProfiler* profiler_;
};

RangeProfiler* CountersTest::profiler_ = nullptr;

TEST_F(CuptiDeviceTest, DISABLED_WritesItsImage) {
  const absl::Time begin = absl::Now();
  absl::StatusOr<worker::v1::ProfilerImage> image = MakeProfilerImage(cupti(), context(), device());
  ASSERT_TRUE(image.ok()) << image.status();
  Print("MakeProfilerImage", absl::FormatDuration(absl::Now() - begin));
  std::ofstream(std::getenv(kImageFile), std::ios::binary) << image->SerializeAsString();
}

TEST_F(CountersTest, CoalescedAccessTouchesFourSectorsAndStridedThirtyTwo) {
  for (ProfileLevel level : {PROFILE_LEVEL_CORE, PROFILE_LEVEL_FULL}) {
    const Counters copy = Count(level, "copy").counters();
    EXPECT_EQ(copy.global_load_request_count(), kElements / kWarp);
    EXPECT_EQ(copy.global_load_sector_count(), 4 * copy.global_load_request_count());
    EXPECT_EQ(copy.global_load_ideal_sector_count(), copy.global_load_sector_count());
    EXPECT_EQ(copy.global_load_bytes(), int64_t{4} * kElements);
    EXPECT_EQ(copy.global_store_request_count(), kElements / kWarp);
    EXPECT_EQ(copy.global_store_sector_count(), 4 * copy.global_store_request_count());
    const Counters strided = Count(level, "copy_strided").counters();
    EXPECT_EQ(strided.global_load_request_count(), kElements / kWarp);
    EXPECT_EQ(strided.global_load_sector_count(), 32 * strided.global_load_request_count());
    EXPECT_EQ(strided.global_load_ideal_sector_count(), 4 * strided.global_load_request_count());
    EXPECT_EQ(strided.global_store_sector_count(), 32 * strided.global_store_request_count());
  }
}

TEST_F(CountersTest, WideAccessIsOneRequestOfSixteenSectors) {
  for (ProfileLevel level : {PROFILE_LEVEL_CORE, PROFILE_LEVEL_FULL}) {
    const Counters counters = Count(level, "copy_float4").counters();
    EXPECT_EQ(counters.global_load_request_count(), kElements / kWarp);
    EXPECT_EQ(counters.global_load_sector_count(), 16 * counters.global_load_request_count());
  }
}

TEST_F(CountersTest, ArithmeticIsCounted) {
  for (ProfileLevel level : {PROFILE_LEVEL_CORE, PROFILE_LEVEL_FULL}) {
    EXPECT_EQ(Count(level, "multiply_add", kSmall).counters().flop_fp32_count(), int64_t{kSmall} * (64 * 2 * 2 + 2));
    EXPECT_EQ(Count(level, "multiply_add_double", kSmall).counters().flop_fp64_count(), int64_t{kSmall} * 64 * 2);
    EXPECT_EQ(Count(level, "multiply_add_half", kSmall).counters().flop_fp16_count(), int64_t{kSmall} * 64 * 2 * 2);
  }
  EXPECT_EQ(Count(PROFILE_LEVEL_FULL, "special", kSmall).counters().special_function_count(), int64_t{kSmall} * 64);
  const KernelExecution matrix = Count(PROFILE_LEVEL_FULL, "matrix", kSmall);
  EXPECT_EQ(matrix.counters().flop_tensor_count(), int64_t{kSmall} / kWarp * 64 * 16 * 8 * 16 * 2);
  EXPECT_EQ(matrix.hardware().tensor_instruction_count(), int64_t{kSmall} / kWarp * 64);
  EXPECT_GT(Count(PROFILE_LEVEL_CORE, "matrix", kSmall).hardware().tensor_utilization(), 0.1);
  EXPECT_EQ(Count(PROFILE_LEVEL_FULL, "multiply_add_half", kSmall).hardware().tensor_instruction_count(), 0);
}

TEST_F(CountersTest, ControlFlowAndSharedMemoryAreCounted) {
  const int64_t warps = kSmall / kWarp;
  for (ProfileLevel level : {PROFILE_LEVEL_CORE, PROFILE_LEVEL_FULL}) {
    EXPECT_GE(Count(level, "diverge", kSmall).counters().divergent_branch_count(), 16 * warps);
    EXPECT_EQ(Count(level, "copy", kSmall).counters().divergent_branch_count(), 0);
    const Counters conflict = Count(level, "conflict", kSmall).counters();
    EXPECT_EQ(conflict.shared_load_request_count(), warps);
    EXPECT_EQ(conflict.shared_store_request_count(), warps);
    EXPECT_NEAR(conflict.shared_bank_conflict_count(), 62.0 * warps, 0.62 * warps);
    EXPECT_EQ(Count(level, "count_atomics", kSmall).counters().global_atomic_request_count(), warps);
    EXPECT_GT(Count(level, "barriers", kSmall).hardware().barrier_stall(), 1);
    EXPECT_LT(Count(level, "copy", kSmall).hardware().barrier_stall(), 0.1);
  }
}

void PrintExecution(const std::string& kernel, const KernelExecution& core, const KernelExecution& full) {
  Print(absl::StrCat(kernel, " core"), core.ShortDebugString());
  Print(absl::StrCat(kernel, " full"), full.ShortDebugString());
}

TEST_F(CountersTest, LevelsAgree) {
  for (const char* kernel : {"copy", "copy_strided", "copy_float4", "broadcast", "multiply_add", "multiply_add_half",
                             "multiply_add_double", "special", "diverge", "conflict", "count_atomics", "barriers",
                             "matrix", "guarded"}) {
    const KernelExecution core = Count(PROFILE_LEVEL_CORE, kernel);
    const KernelExecution full = Count(PROFILE_LEVEL_FULL, kernel);
    PrintExecution(kernel, core, full);
    const Counters &a = core.counters(), &b = full.counters();
    EXPECT_EQ(a.global_load_sector_count(), b.global_load_sector_count()) << kernel;
    EXPECT_EQ(a.global_store_sector_count(), b.global_store_sector_count()) << kernel;
    EXPECT_EQ(a.global_load_request_count(), b.global_load_request_count()) << kernel;
    EXPECT_EQ(a.global_store_request_count(), b.global_store_request_count()) << kernel;
    EXPECT_EQ(a.warp_instruction_count(), b.warp_instruction_count()) << kernel;
    EXPECT_EQ(a.thread_instruction_count(), b.thread_instruction_count()) << kernel;
    EXPECT_NEAR(core.hardware().lane_utilization(), full.hardware().lane_utilization(), 0.001) << kernel;
    EXPECT_LE(core.hardware().sm_throughput(), full.hardware().sm_throughput() + 0.03) << kernel;
  }
}

struct Cost {
  const char* name;
  RangeProfiler::Options options;
  // Attached before the clock starts.
  bool ahead;
};

class CostTest : public CountersTest, public ::testing::WithParamInterface<Cost> {};

INSTANTIATE_TEST_SUITE_P(
    Modes, CostTest,
    ::testing::Values(Cost{"Core", {}, false}, Cost{"CoreAhead", {}, true},
                      Cost{"CoreByCallAhead", {.replay = RangeProfiler::Replay::kCall}, true},
                      Cost{"FullAhead", {.level = PROFILE_LEVEL_FULL}, true},
                      Cost{"FullByCallAhead", {PROFILE_LEVEL_FULL, RangeProfiler::Replay::kCall}, true}),
    [](const auto& mode) { return mode.param.name; });

TEST_P(CostTest, CoreTakesThreePassesAndWhenAttachedAheadATenthOfASecond) {
  for (int launches : {1, 4}) {
    std::vector<absl::Duration> whole, attach, call, evaluate, detach;
    for (int i = 0; i < 5; ++i) {
      if (GetParam().ahead) {
        ASSERT_TRUE(profiler_->Attach(GetParam().options).ok());
      }
      const absl::Time begin = absl::Now();
      absl::StatusOr<KernelProfile> profile = profiler_->Profile(GetParam().options, [&] {
        for (int launch = 0; launch < launches; ++launch) {
          if (absl::Status status = Launch("copy", {kElements / 256, 256}); !status.ok()) return status;
        }
        return Synchronize();
      });
      whole.push_back(absl::Now() - begin);
      ASSERT_TRUE(profile.ok()) << profile.status();
      ASSERT_EQ(profile->executions.size(), launches);
      EXPECT_EQ(profile->executions.back().counters().global_load_request_count(), kElements / kWarp);
      if (GetParam().options.level == PROFILE_LEVEL_CORE) {
        EXPECT_LE(profile->pass_count, 3);
      }
      attach.push_back(profile->attach_time);
      call.push_back(profile->call_time);
      evaluate.push_back(profile->evaluate_time);
      detach.push_back(profile->detach_time);
    }
    Print(absl::StrCat(GetParam().name, ", ", launches, " kernels, p50"),
          absl::StrCat(absl::FormatDuration(Median(whole)), " = attach ", absl::FormatDuration(Median(attach)), " + call ",
                       absl::FormatDuration(Median(call)), " + evaluate ", absl::FormatDuration(Median(evaluate)),
                       " + detach ", absl::FormatDuration(Median(detach))));
    if (GetParam().ahead && launches == 1 && GetParam().options.level == PROFILE_LEVEL_CORE) {
      EXPECT_LT(Median(whole), absl::Milliseconds(150));
    }
  }
}

TEST_F(CountersTest, KernelsKeepTheirOrderUpToTheMost) {
  for (RangeProfiler::Replay replay : {RangeProfiler::Replay::kKernel, RangeProfiler::Replay::kCall}) {
    const RangeProfiler::Options options = {.replay = replay, .max_kernels = 12};
    const int launches = replay == RangeProfiler::Replay::kKernel ? 14 : 12;
    absl::StatusOr<KernelProfile> profile = profiler_->Profile(options, [&] {
      for (int i = 0; i < launches; ++i) {
        if (absl::Status status = Launch("copy", {i + 1, 64}); !status.ok()) return status;
      }
      return Synchronize();
    });
    ASSERT_TRUE(profile.ok()) << profile.status();
    ASSERT_EQ(profile->executions.size(), options.max_kernels);
    for (int i = 0; i < options.max_kernels; ++i) {
      EXPECT_EQ(profile->executions[i].counters().global_load_request_count(), 2 * (i + 1));
    }
  }
}

TEST_F(CountersTest, ReplayModesAgree) {
  for (const char* kernel : {"copy_strided", "multiply_add", "conflict"}) {
    const KernelExecution by_kernel = Count(PROFILE_LEVEL_CORE, kernel);
    absl::StatusOr<KernelProfile> by_call = profiler_->Profile(
        {.replay = RangeProfiler::Replay::kCall}, [&] { return Run(kernel, {kElements / 256, 256}); });
    ASSERT_TRUE(by_call.ok()) << by_call.status();
    ASSERT_EQ(by_call->executions.size(), 1);
    Counters a = by_kernel.counters(), b = by_call->executions[0].counters();
    EXPECT_NEAR(a.shared_bank_conflict_count(), b.shared_bank_conflict_count(), 0.01 * a.shared_bank_conflict_count());
    a.clear_shared_bank_conflict_count();
    b.clear_shared_bank_conflict_count();
    EXPECT_EQ(a.DebugString(), b.DebugString()) << kernel;
    Print(absl::StrCat(kernel, " ns by kernel / by call"),
          absl::StrCat(Nanoseconds(by_kernel), " / ", Nanoseconds(by_call->executions[0])));
  }
}

TEST_F(CountersTest, CallThatLaunchesNothingHasNoExecutions) {
  absl::StatusOr<KernelProfile> profile =
      profiler_->Profile({}, [] { return absl::CancelledError("the program says no"); });
  ASSERT_TRUE(profile.ok()) << profile.status();
  EXPECT_EQ(profile->call.code(), absl::StatusCode::kCancelled);
  EXPECT_TRUE(profile->executions.empty());
  profile = profiler_->Profile({}, [] { return absl::OkStatus(); });
  ASSERT_TRUE(profile.ok()) << profile.status();
  EXPECT_TRUE(profile->executions.empty());
}

TEST_F(CountersTest, ReplayKeepsWhatTheProgramComputes) {
  const int elements = 1024;
  ASSERT_TRUE(driver().Check(driver().MemsetD8(output(), 0, elements * sizeof(float)), "cuMemsetD8").ok());
  std::vector<float> once(elements), profiled(elements);
  ASSERT_TRUE(Run("count_atomics", {kSmall / 256, 256}, kSmall).ok());
  driver().MemcpyDtoH(once.data(), output(), elements * sizeof(float));
  driver().MemsetD8(output(), 0, elements * sizeof(float));
  ASSERT_TRUE(Profile(PROFILE_LEVEL_CORE, "count_atomics", {kSmall / 256, 256}, kSmall).ok());
  driver().MemcpyDtoH(profiled.data(), output(), elements * sizeof(float));
  EXPECT_EQ(once, profiled);
}

TEST_F(CountersTest, DISABLED_FaultIsTheCallsOutcome) {
  absl::StatusOr<KernelProfile> profile = Profile(PROFILE_LEVEL_CORE, "write_nowhere", {1, 32});
  ASSERT_TRUE(profile.ok()) << profile.status();
  EXPECT_EQ(profile->call.code(), absl::StatusCode::kAborted) << profile->call;
  EXPECT_TRUE(profile->executions.empty());
  // The context is lost: nothing of this process is torn down.
  std::cout << std::flush;
  _exit(HasFailure() ? 1 : 0);
}

TEST_F(CountersTest, FaultUnderTheProfilerIsTheCallsOutcome) {
  EXPECT_EQ(RunAnew("CountersTest.DISABLED_FaultIsTheCallsOutcome"), 0);
}

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
  Print("Begin p50 / worst, us", absl::StrCat(Microseconds(Median(begin_costs)), " / ",
                                              Microseconds(*std::max_element(begin_costs.begin(), begin_costs.end()))));
  Print("End with one kernel p50 / worst, us",
        absl::StrCat(Microseconds(Median(end_costs)), " / ",
                     Microseconds(*std::max_element(end_costs.begin(), end_costs.end()))));
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
  Print("End of 120,000 launches", absl::StrCat(absl::FormatDuration(absl::Now() - begin), ", kept ",
                                                records->activities_size(), ", dropped ", records->dropped_count()));
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
    Print(absl::StrCat(kernel, " recorded / counted ns"), absl::StrCat(Median(recorded), " / ", Median(counted)));
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
  Print("Pause and Resume p50", absl::FormatDuration(Median(costs)));
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
  Print("recorded ns alone / beside an attached process", absl::StrCat(alone, " / ", beside));
  EXPECT_NEAR(beside, alone, 0.03 * alone);
  ASSERT_TRUE(recorder_->Pause().ok());
  absl::StatusOr<KernelProfile> profile = Profile(PROFILE_LEVEL_CORE, "copy", {kElements / 256, 256});
  Print("counting beside an attached process", profile.ok() ? "works" : profile.status().ToString());
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
  Print("ActivityRecorder::Start", absl::FormatDuration(absl::Now() - begin));
  LaunchCosts(launch, wait);
  const auto [recorded_launch, recorded_call] = LaunchCosts(launch, wait);
  Print("launch bare / recorded, us", absl::StrCat(Microseconds(bare_launch), " / ", Microseconds(recorded_launch)));
  Print("launch and wait bare / recorded, us", absl::StrCat(Microseconds(bare_call), " / ", Microseconds(recorded_call)));
  ASSERT_TRUE((*recorder)->Pause().ok());
  const auto [paused_launch, paused_call] = LaunchCosts(launch, wait);
  Print("launch, launch and wait when paused, us",
        absl::StrCat(Microseconds(paused_launch), ", ", Microseconds(paused_call)));
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
