#include "analyzers/time_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "analyzers/launch_time.h"

namespace cudaperf::analyzers {
namespace {

using reward::v1::CaseResult;
using reward::v1::ExecutionReport;
using reward::v1::KernelExecution;

constexpr int64_t kMi = 1 << 20;

GpuSheet H200() { return *FindGpuSheet("h200"); }

KernelExecution Launch(int64_t blocks, int threads, int registers, int64_t instructions_per_warp) {
  KernelExecution execution;
  execution.set_kernel("k");
  execution.add_grid(static_cast<int32_t>(blocks));
  execution.add_block(threads);
  execution.set_register_count(registers);
  execution.set_longest_warp_instruction_count(instructions_per_warp);
  execution.mutable_counters()->set_warp_instruction_count(blocks * threads / 32 * instructions_per_warp);
  execution.mutable_counters()->set_thread_instruction_count(blocks * threads * instructions_per_warp);
  return execution;
}

// Loads and stores with the same pattern; all counts for each direction.
void SetGlobal(KernelExecution& execution, int64_t requests, int64_t sectors, int64_t ideal, int64_t unique,
               int64_t stride) {
  auto& counters = *execution.mutable_counters();
  counters.set_global_load_request_count(requests);
  counters.set_global_load_sector_count(sectors);
  counters.set_global_load_ideal_sector_count(ideal);
  counters.set_global_unique_load_sector_count(unique);
  counters.set_global_store_request_count(requests);
  counters.set_global_store_sector_count(sectors);
  counters.set_global_store_ideal_sector_count(ideal);
  counters.set_global_unique_store_sector_count(unique);
  auto& line = *execution.add_lines();
  line.set_line(1);
  *line.mutable_counters() = counters;
  line.set_lane_stride_bytes(stride);
}

// y[i] = x[i] * 2 over n floats, lane stride in floats.
KernelExecution Scale(int64_t n, int64_t stride, int threads = 256) {
  KernelExecution execution = Launch(n / threads, threads, 16, stride == 1 ? 14 : 24);
  const int64_t sectors_per_request = std::min<int64_t>(32, 4 * stride);
  SetGlobal(execution, n / 32, n / 32 * sectors_per_request, n / 8, n / 8, 4 * stride);
  return execution;
}

KernelExecution ScaleByFour(int64_t n) {
  KernelExecution execution = Launch(n / 4 / 256, 256, 16, 14);
  SetGlobal(execution, n / 128, n / 8, n / 8, n / 8, 16);
  return execution;
}

// Reads rows, writes columns of a size x size matrix; blocks of 32 x 8.
KernelExecution NaiveTranspose(int64_t size) {
  const int64_t n = size * size;
  KernelExecution execution = Launch(n / 256, 256, 16, 16);
  SetGlobal(execution, n / 32, n / 8, n / 8, n / 8, 4);
  auto& counters = *execution.mutable_counters();
  counters.set_global_store_sector_count(n);
  auto& store = *execution.add_lines();
  store.set_line(2);
  store.mutable_counters()->set_global_store_sector_count(n);
  store.set_lane_stride_bytes(4 * size);
  execution.mutable_lines(0)->mutable_counters()->set_global_store_sector_count(0);
  return execution;
}

// Through a shared tile of 32 x 32 without (conflict_ways 32) and with padding (1).
KernelExecution TiledTranspose(int64_t size, int64_t conflict_ways) {
  const int64_t n = size * size;
  KernelExecution execution = Launch(n / 1024, 256, 24, 45);
  SetGlobal(execution, n / 32, n / 8, n / 8, n / 8, 4);
  auto& counters = *execution.mutable_counters();
  counters.set_shared_load_request_count(n / 32);
  counters.set_shared_store_request_count(n / 32);
  counters.set_shared_bank_conflict_count(n / 32 * (conflict_ways - 1));
  counters.set_barrier_count(n / 1024 * 8);
  return execution;
}

// One element of C a thread, everything from global memory; `bad`: lanes walk rows.
KernelExecution Multiply(int64_t size, bool bad) {
  const int64_t warps = size * size / 32;
  KernelExecution execution = Launch(warps / 8, 256, 32, 5 * size);
  auto& counters = *execution.mutable_counters();
  counters.set_flop_fp32_count(2 * size * size * size);
  counters.set_global_load_request_count(2 * warps * size);
  counters.set_global_load_sector_count(warps * size * (bad ? 33 : 5));
  counters.set_global_load_ideal_sector_count(warps * size * 5);
  counters.set_global_unique_load_sector_count(2 * size * size / 8);
  counters.set_global_store_request_count(warps);
  counters.set_global_store_sector_count(warps * (bad ? 32 : 4));
  counters.set_global_store_ideal_sector_count(warps * 4);
  counters.set_global_unique_store_sector_count(size * size / 8);
  auto& line = *execution.add_lines();
  line.set_line(1);
  *line.mutable_counters() = counters;
  line.set_lane_stride_bytes(bad ? 4 * size : 4);
  return execution;
}

// Sum of each row by one thread.
KernelExecution RowSum(int64_t rows, int64_t columns, int threads) {
  KernelExecution execution = Launch(rows / threads, threads, 24, 3 * columns);
  auto& counters = *execution.mutable_counters();
  counters.set_flop_fp32_count(rows * columns);
  counters.set_global_load_request_count(rows / 32 * columns);
  counters.set_global_load_sector_count(rows * columns);
  counters.set_global_load_ideal_sector_count(rows * columns / 8);
  counters.set_global_unique_load_sector_count(rows * columns / 8);
  auto& line = *execution.add_lines();
  line.set_line(1);
  *line.mutable_counters() = counters;
  line.set_lane_stride_bytes(4 * columns);
  return execution;
}

KernelExecution FusedMultiplyAdds(int64_t per_thread, bool fp64) {
  KernelExecution execution = Launch(1056, 256, 24, per_thread * 5 / 4);
  const int64_t flops = 1056LL * 256 * per_thread * 2;
  if (fp64) {
    execution.mutable_counters()->set_flop_fp64_count(flops);
  } else {
    execution.mutable_counters()->set_flop_fp32_count(flops);
  }
  return execution;
}

KernelExecution SharedReads(int64_t conflict_ways) {
  KernelExecution execution = Launch(264, 1024, 20, 5000);
  const int64_t requests = 264LL * 32 * 1000;
  execution.mutable_counters()->set_shared_load_request_count(requests);
  execution.mutable_counters()->set_shared_bank_conflict_count(requests * (conflict_ways - 1));
  return execution;
}

KernelExecution AtomicsOnOneAddress(int64_t operations) {
  KernelExecution execution = Launch(operations / 256, 256, 16, 14);
  execution.mutable_counters()->set_global_atomic_request_count(operations / 32);
  execution.mutable_counters()->set_global_atomic_thread_count(operations);
  execution.mutable_counters()->set_global_unique_store_sector_count(1);
  return execution;
}

struct Measurement {
  std::string name;
  KernelExecution execution;
  // Microseconds on an H200, CUDA 13.0, L2 flushed, between events.
  double measured;
  std::string limiter;
};

std::vector<Measurement> Measurements() {
  return {
      {"scale of 2^26", Scale(64 * kMi, 1), 203.7, "latency"},
      {"scale of 2^26, stride 33", Scale(64 * kMi, 33), 3276.7, "dram bandwidth"},
      {"scale of 2^26, stride 8", Scale(64 * kMi, 8), 1467, "dram bandwidth"},
      {"scale of 2^26, blocks of 64", Scale(64 * kMi, 1, 64), 633, "launch"},
      {"scale by float4 of 2^26", ScaleByFour(64 * kMi), 128.5, "dram bandwidth"},
      {"scale of 2^20", Scale(kMi, 1), 6.82, ""},
      {"scale of 2^20, stride 33", Scale(kMi, 33), 24.4, "l2 bandwidth"},
      {"scale of 2^12", Scale(1 << 12, 1), 3.49, ""},
      {"naive transpose", NaiveTranspose(8192), 992.5, "l2 bandwidth"},
      {"tiled transpose with conflicts", TiledTranspose(8192, 32), 330.7, "shared memory"},
      {"tiled transpose, padded", TiledTranspose(8192, 1), 147.9, ""},
      {"small naive transpose", NaiveTranspose(512), 7.10, ""},
      {"matrix multiply 1024", Multiply(1024, false), 335.8, "l1 throughput"},
      {"matrix multiply 1024 along rows", Multiply(1024, true), 4453, "l1 throughput"},
      {"matrix multiply 2048", Multiply(2048, false), 2506, "l1 throughput"},
      {"matrix multiply 256", Multiply(256, false), 19.26, "latency"},
      {"row sums 65536 x 1024", RowSum(65536, 1024, 256), 271.7, "l1 throughput"},
      {"row sums 8192 x 8192", RowSum(8192, 8192, 128), 562.6, ""},
      {"row sums 512 x 512", RowSum(512, 512, 256), 70.9, ""},
      {"fp32 multiply-adds", FusedMultiplyAdds(4000, false), 38.85, ""},
      {"fp64 multiply-adds", FusedMultiplyAdds(4000, true), 69.0, "fp64"},
      {"shared reads", SharedReads(1), 45.3, ""},
      {"shared reads, 8 ways", SharedReads(8), 262.6, "shared memory"},
      {"shared reads, 32 ways", SharedReads(32), 1045, "shared memory"},
      {"atomics on one address", AtomicsOnOneAddress(4 * kMi), 3071, "atomics"},
  };
}

TEST(TimeModelTest, LandsWithinThirtyPercentOfMeasuredKernels) {
  for (const Measurement& measurement : Measurements()) {
    const auto time = ModelLaunch(measurement.execution, H200());
    ASSERT_TRUE(time.ok()) << time.status();
    const double modeled = time->seconds * 1e6;
    printf("%-34s measured %8.2f us, modelled %8.2f us (%+.0f %%) %s\n", measurement.name.c_str(), measurement.measured,
           modeled, 100 * (modeled / measurement.measured - 1), std::string(time->bounds.front().resource).c_str());
    EXPECT_GT(modeled, measurement.measured * 0.7) << measurement.name;
    EXPECT_LT(modeled, measurement.measured * 1.3) << measurement.name;
    if (!measurement.limiter.empty()) {
      EXPECT_EQ(time->bounds.front().resource, measurement.limiter) << measurement.name;
    }
  }
}

ExecutionReport Report(std::vector<KernelExecution> executions) {
  ExecutionReport report;
  CaseResult& result = *report.add_cases();
  result.set_case_name("model");
  result.set_role(reward::v1::CASE_ROLE_MODEL);
  result.set_status(reward::v1::CASE_STATUS_PASSED);
  for (KernelExecution& execution : executions) *result.add_executions() = std::move(execution);
  return report;
}

TEST(TimeModelTest, SpeedupIsTheGeometricMeanOverRepresentativeCases) {
  ExecutionReport candidate = Report({Scale(64 * kMi, 1)});
  ExecutionReport baseline = Report({Scale(64 * kMi, 33)});
  for (ExecutionReport* report : {&candidate, &baseline}) {
    CaseResult same = Report({Scale(kMi, 1)}).cases(0);
    same.set_case_name("same");
    *report->add_cases() = same;
    same.set_case_name("screened");
    same.set_role(reward::v1::CASE_ROLE_SCREEN);
    *report->add_cases() = same;
  }
  const auto timing = ModelTiming(candidate, baseline, H200());
  ASSERT_TRUE(timing.ok()) << timing.status();
  EXPECT_EQ(timing->source(), reward::v1::TIMING_SOURCE_MODELED);
  EXPECT_EQ(timing->gpu(), "h200");
  ASSERT_EQ(timing->cases_size(), 2);
  EXPECT_DOUBLE_EQ(timing->cases(1).speedup(), 1);
  EXPECT_NEAR(timing->speedup(), std::sqrt(timing->cases(0).speedup()), 1e-12);
  EXPECT_EQ(timing->coefficient_of_variation(), 0);
}

TEST(TimeModelTest, LaunchesAndTransfersAddUp) {
  const auto one = ModelCase(Report({Scale(kMi, 1)}).cases(0), H200());
  const auto two = ModelCase(Report({Scale(kMi, 1), Scale(kMi, 1)}).cases(0), H200());
  CaseResult copied = Report({Scale(kMi, 1)}).cases(0);
  copied.mutable_transfers()->set_host_to_device_bytes(4 * kMi);
  copied.mutable_transfers()->set_host_to_device_count(1);
  const auto with_copy = ModelCase(copied, H200());
  ASSERT_TRUE(one.ok() && two.ok() && with_copy.ok());
  EXPECT_DOUBLE_EQ(two->seconds, 2 * one->seconds);
  EXPECT_NEAR(with_copy->seconds - one->seconds, 4.0 * kMi / 15.9e9 + 9e-6, 1e-12);
  EXPECT_EQ(with_copy->limiter, "transfer");
}

TEST(TimeModelTest, FillsCostTheirBytesAndALaunch) {
  CaseResult filled = Report({Scale(kMi, 1)}).cases(0);
  const auto without = ModelCase(filled, H200());
  filled.mutable_transfers()->set_device_fill_bytes(400 * kMi);
  filled.mutable_transfers()->set_device_fill_count(2);
  const auto with = ModelCase(filled, H200());
  ASSERT_TRUE(without.ok() && with.ok());
  const double written = 400.0 * kMi / (H200().dram_bytes_per_second * H200().dram_efficiency);
  EXPECT_NEAR(with->seconds - without->seconds, written + 2 * H200().launch_seconds, 1e-12);
}

TEST(TimeModelTest, HostWorkBesideKernelsCountsAsTime) {
  ExecutionReport candidate = Report({Scale(kMi, 1)});
  candidate.mutable_cases(0)->mutable_host_duration()->set_nanos(30'000'000);
  const auto timing = ModelTiming(candidate, Report({Scale(kMi, 1)}), H200());
  ASSERT_TRUE(timing.ok()) << timing.status();
  EXPECT_GT(timing->cases(0).candidate().median().nanos(), 30'000'000);
  EXPECT_EQ(timing->cases(0).limiter(), "host");
  EXPECT_LT(timing->speedup(), 0.01);
}

TEST(TimeModelTest, CandidateWithoutLaunchesIsNeverFaster) {
  const auto timing = ModelTiming(Report({}), Report({Scale(kMi, 33)}), H200());
  ASSERT_TRUE(timing.ok()) << timing.status();
  EXPECT_EQ(timing->speedup(), 1);
  EXPECT_EQ(timing->cases(0).limiter(), "host");
}

TEST(TimeModelTest, NothingToTimeIsAPrecondition) {
  ExecutionReport candidate = Report({Scale(kMi, 1)});
  candidate.mutable_cases(0)->set_status(reward::v1::CASE_STATUS_NOT_SCREENED);
  EXPECT_EQ(ModelTiming(candidate, Report({Scale(kMi, 1)}), H200()).status().code(),
            absl::StatusCode::kFailedPrecondition);
}

TEST(TimeModelTest, ForgedCountersNeverMakeTimeNegativeOrInfinite) {
  for (const int64_t value : {INT64_MIN, int64_t{-1}, int64_t{0}, INT64_MAX}) {
    KernelExecution execution = Launch(1, 32, 16, 1);
    auto& counters = *execution.mutable_counters();
    for (int i = 0; i < counters.GetDescriptor()->field_count(); ++i) {
      counters.GetReflection()->SetInt64(&counters, counters.GetDescriptor()->field(i), value);
    }
    execution.set_longest_warp_instruction_count(value);
    const auto time = ModelLaunch(execution, H200());
    ASSERT_TRUE(time.ok());
    EXPECT_GE(time->seconds, H200().launch_seconds);
    EXPECT_TRUE(std::isfinite(time->seconds));
  }
}

TEST(TimeModelTest, EveryPeakOfABetterGpuIsNoSlower) {
  for (const Measurement& measurement : Measurements()) {
    const auto h200 = ModelLaunch(measurement.execution, H200());
    const auto h100 = ModelLaunch(measurement.execution, *FindGpuSheet("h100"));
    ASSERT_TRUE(h200.ok() && h100.ok());
    EXPECT_LE(h200->seconds, h100->seconds) << measurement.name;
  }
}

TEST(TimeModelTest, UnknownGpuNamesTheKnownOnes) {
  const auto sheet = FindGpuSheet("b200");
  EXPECT_EQ(sheet.status().code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(sheet.status().message()), testing::HasSubstr("h200, h100, a100, l40s, rtx4090"));
}

}  // namespace
}  // namespace cudaperf::analyzers
