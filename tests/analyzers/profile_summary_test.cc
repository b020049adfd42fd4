#include "analyzers/profile_summary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>

namespace cudaperf::analyzers {
namespace {

using reward::v1::CaseResult;
using reward::v1::Counters;
using reward::v1::ExecutionReport;
using reward::v1::KernelExecution;

GpuSheet H200() { return *FindGpuSheet("h200"); }

CaseResult& AddCase(ExecutionReport& report, const char* name, reward::v1::CaseRole role) {
  CaseResult& result = *report.add_cases();
  result.set_case_name(name);
  result.set_role(role);
  result.set_status(reward::v1::CASE_STATUS_PASSED);
  return result;
}

Counters& AddLaunch(CaseResult& result, int blocks, int threads, int registers) {
  KernelExecution& execution = *result.add_executions();
  execution.set_kernel("k");
  execution.add_grid(blocks);
  execution.add_block(threads);
  execution.set_register_count(registers);
  return *execution.mutable_counters();
}

TEST(ProfileSummaryTest, RatiosFollowTheirDefinitions) {
  ExecutionReport report;
  Counters& counters = AddLaunch(AddCase(report, "m", reward::v1::CASE_ROLE_MODEL), 1024, 256, 32);
  counters.set_warp_instruction_count(1000);
  counters.set_thread_instruction_count(16000);
  counters.set_global_load_request_count(100);
  counters.set_global_load_sector_count(3200);
  counters.set_global_load_ideal_sector_count(400);
  counters.set_global_unique_load_sector_count(400);
  counters.set_global_store_request_count(100);
  counters.set_global_store_sector_count(400);
  counters.set_global_store_ideal_sector_count(400);
  counters.set_global_unique_store_sector_count(400);
  counters.set_branch_count(50);
  counters.set_divergent_branch_count(10);
  counters.set_flop_fp32_count(51200);
  const auto profile = SummarizeProfile(report, H200());
  ASSERT_TRUE(profile.ok()) << profile.status();
  EXPECT_EQ(profile->source(), reward::v1::ProfileReport::SOURCE_EMULATED);
  EXPECT_DOUBLE_EQ(profile->coalescing(), 800.0 / 3600);
  EXPECT_DOUBLE_EQ(profile->divergence(), 0.2);
  EXPECT_DOUBLE_EQ(profile->lane_utilization(), 0.5);
  EXPECT_DOUBLE_EQ(profile->occupancy(), 1);
  // Everything fits in the L2: 800 distinct sectors of 32 bytes.
  EXPECT_DOUBLE_EQ(profile->arithmetic_intensity(), 2);
}

TEST(ProfileSummaryTest, LargestRepresentativeCaseIsTaken) {
  ExecutionReport report;
  AddLaunch(AddCase(report, "small", reward::v1::CASE_ROLE_MODEL), 1, 32, 32).set_thread_instruction_count(10);
  AddLaunch(AddCase(report, "large", reward::v1::CASE_ROLE_MODEL), 2, 32, 32).set_thread_instruction_count(20);
  AddLaunch(AddCase(report, "screen", reward::v1::CASE_ROLE_SCREEN), 3, 32, 32).set_thread_instruction_count(30);
  CaseResult& failed = AddCase(report, "failed", reward::v1::CASE_ROLE_MODEL);
  AddLaunch(failed, 4, 32, 32).set_thread_instruction_count(40);
  failed.set_status(reward::v1::CASE_STATUS_WRONG_RESULT);
  const auto profile = SummarizeProfile(report, H200());
  ASSERT_TRUE(profile.ok());
  EXPECT_EQ(profile->executions(0).grid(0), 2);
}

TEST(ProfileSummaryTest, LaunchesAddUpAndOccupancyIsWeightedByTime) {
  ExecutionReport report;
  CaseResult& result = AddCase(report, "m", reward::v1::CASE_ROLE_MODEL);
  AddLaunch(result, 1, 256, 32).set_warp_instruction_count(8);
  AddLaunch(result, 132, 256, 255).set_warp_instruction_count(1'000'000'000);
  const auto profile = SummarizeProfile(report, H200());
  ASSERT_TRUE(profile.ok());
  EXPECT_EQ(profile->counters().warp_instruction_count(), 1'000'000'008);
  EXPECT_NEAR(profile->occupancy(), 0.125, 0.01);
  const auto occupancies = SummarizeOccupancy(report, H200());
  ASSERT_EQ(occupancies.size(), 2u);
  EXPECT_EQ(occupancies[0].threads_per_block(), 256);
  EXPECT_EQ(occupancies[1].occupancy().limiter(), "registers");
}

TEST(ProfileSummaryTest, KernelThatTouchesNoMemoryHasNoWaste) {
  ExecutionReport report;
  AddLaunch(AddCase(report, "m", reward::v1::CASE_ROLE_MODEL), 1, 32, 32);
  const auto profile = SummarizeProfile(report, H200());
  ASSERT_TRUE(profile.ok());
  EXPECT_EQ(profile->coalescing(), 1);
  EXPECT_EQ(profile->arithmetic_intensity(), 0);
  EXPECT_EQ(profile->divergence(), 0);
}

TEST(ProfileSummaryTest, NothingPassedIsAPrecondition) {
  EXPECT_EQ(SummarizeProfile(ExecutionReport(), H200()).status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_TRUE(SummarizeOccupancy(ExecutionReport(), H200()).empty());
}

TEST(ProfileSummaryTest, ForgedCountersNeverOverflow) {
  ExecutionReport report;
  CaseResult& result = AddCase(report, "m", reward::v1::CASE_ROLE_MODEL);
  for (const int64_t value : {INT64_MAX, INT64_MAX, INT64_MIN}) {
    Counters& counters = AddLaunch(result, 1, 32, 32);
    for (int i = 0; i < counters.GetDescriptor()->field_count(); ++i) {
      counters.GetReflection()->SetInt64(&counters, counters.GetDescriptor()->field(i), value);
    }
  }
  const auto profile = SummarizeProfile(report, H200());
  ASSERT_TRUE(profile.ok());
  EXPECT_GT(profile->counters().branch_count(), 0);
  EXPECT_LE(profile->lane_utilization(), 1);
}

}  // namespace
}  // namespace cudaperf::analyzers
