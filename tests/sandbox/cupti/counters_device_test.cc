// What the counters say about kernels whose behaviour is known by reading them, and what counting costs.
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iostream>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "gtest/gtest.h"
#include "sandbox/cupti/profiler_image.h"
#include "sandbox/cupti/range_profiler.h"
#include "tests/sandbox/cupti/counters_fixture.h"

namespace cudaperf::sandbox {
namespace {

using reward::v1::Counters;
using reward::v1::KernelExecution;
using reward::v1::PROFILE_LEVEL_CORE;
using reward::v1::PROFILE_LEVEL_FULL;
using reward::v1::ProfileLevel;

TEST_F(CuptiDeviceTest, DISABLED_WritesItsImage) {
  const absl::Time begin = absl::Now();
  absl::StatusOr<worker::v1::ProfilerImage> image = MakeProfilerImage(cupti(), context(), device());
  ASSERT_TRUE(image.ok()) << image.status();
  PrintFigure("MakeProfilerImage", absl::FormatDuration(absl::Now() - begin));
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
  PrintFigure(absl::StrCat(kernel, " core"), core.ShortDebugString());
  PrintFigure(absl::StrCat(kernel, " full"), full.ShortDebugString());
}

TEST_F(CountersTest, LevelsAgree) {
  for (const char* kernel :
       {"copy", "copy_strided", "copy_float4", "broadcast", "multiply_add", "multiply_add_half", "multiply_add_double",
        "special", "diverge", "conflict", "count_atomics", "barriers", "matrix", "guarded"}) {
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
    PrintFigure(
        absl::StrCat(GetParam().name, ", ", launches, " kernels, p50"),
        absl::StrCat(absl::FormatDuration(Median(whole)), " = attach ", absl::FormatDuration(Median(attach)),
                     " + call ", absl::FormatDuration(Median(call)), " + evaluate ",
                     absl::FormatDuration(Median(evaluate)), " + detach ", absl::FormatDuration(Median(detach))));
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
    absl::StatusOr<KernelProfile> by_call = profiler_->Profile({.replay = RangeProfiler::Replay::kCall}, [&] {
      return Run(kernel, {kElements / 256, 256});
    });
    ASSERT_TRUE(by_call.ok()) << by_call.status();
    ASSERT_EQ(by_call->executions.size(), 1);
    Counters a = by_kernel.counters(), b = by_call->executions[0].counters();
    EXPECT_NEAR(a.shared_bank_conflict_count(), b.shared_bank_conflict_count(), 0.01 * a.shared_bank_conflict_count());
    a.clear_shared_bank_conflict_count();
    b.clear_shared_bank_conflict_count();
    EXPECT_EQ(a.DebugString(), b.DebugString()) << kernel;
    PrintFigure(absl::StrCat(kernel, " ns by kernel / by call"),
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

}  // namespace
}  // namespace cudaperf::sandbox
