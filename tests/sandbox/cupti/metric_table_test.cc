#include "sandbox/cupti/metric_table.h"

#include <cmath>
#include <set>

#include "gtest/gtest.h"

namespace cudaperf::sandbox {
namespace {

using reward::v1::KernelExecution;
using reward::v1::PROFILE_LEVEL_CORE;
using reward::v1::PROFILE_LEVEL_FULL;
using reward::v1::ProfileLevel;

class MetricTableTest : public ::testing::TestWithParam<ProfileLevel> {};

INSTANTIATE_TEST_SUITE_P(Levels, MetricTableTest, ::testing::Values(PROFILE_LEVEL_CORE, PROFILE_LEVEL_FULL),
                         [](const auto& level) { return level.param == PROFILE_LEVEL_CORE ? "Core" : "Full"; });

KernelExecution Execution(const MetricValues& values) {
  KernelExecution execution;
  SetExecution(values, &execution);
  return execution;
}

TEST_P(MetricTableTest, NamesAreDistinct) {
  const std::vector<std::string> names = MetricNames(GetParam());
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
}

TEST_P(MetricTableTest, EveryMetricFeedsAField) {
  MetricValues values;
  for (const std::string& name : MetricNames(GetParam())) values[name] = 1;
  const std::string before = Execution(values).DebugString();
  for (const std::string& name : MetricNames(GetParam())) {
    MetricValues changed = values;
    changed[name] = 64'000;
    EXPECT_NE(Execution(changed).DebugString(), before) << name;
  }
}

TEST_P(MetricTableTest, EveryFieldOfHardwareIsFedButTensorInstructionsAtCore) {
  MetricValues values;
  for (const std::string& name : MetricNames(GetParam())) values[name] = 1;
  const KernelExecution execution = Execution(values);
  const auto* descriptor = reward::v1::HardwareMetrics::descriptor();
  for (int i = 0; i < descriptor->field_count(); ++i) {
    const auto* field = descriptor->field(i);
    const bool expected = GetParam() == PROFILE_LEVEL_FULL || field->name() != "tensor_instruction_count";
    EXPECT_EQ(execution.hardware().GetReflection()->HasField(execution.hardware(), field), expected) << field->name();
  }
}

TEST(MetricTableTest, FusedMultiplyAddIsTwoOperations) {
  const KernelExecution execution = Execution({{"smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", 100},
                                               {"smsp__sass_thread_inst_executed_op_fadd_pred_on.sum", 10},
                                               {"smsp__sass_thread_inst_executed_op_fmul_pred_on.sum", 1}});
  EXPECT_EQ(execution.counters().flop_fp32_count(), 211);
}

TEST(MetricTableTest, HalfPrecisionInstructionsWorkOnPairs) {
  const KernelExecution execution = Execution({{"smsp__sass_thread_inst_executed_op_hfma_pred_on.sum", 100},
                                               {"smsp__sass_thread_inst_executed_op_hmul_pred_on.sum", 10}});
  EXPECT_EQ(execution.counters().flop_fp16_count(), 420);
}

TEST(MetricTableTest, EachRequestNeedsASector) {
  const KernelExecution execution = Execution({{"smsp__sass_inst_executed_op_global_ld.sum", 100},
                                               {"smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ld.sum", 150},
                                               {"smsp__sass_data_bytes_mem_global_op_ld.sum", 400}});
  EXPECT_EQ(execution.counters().global_load_ideal_sector_count(), 100);
}

TEST(MetricTableTest, NothingOverNothingIsAbsent) {
  const KernelExecution execution =
      Execution({{"l1tex__t_sector_hit_rate.pct", std::nan("")}, {"lts__t_sector_hit_rate.pct", 25}});
  EXPECT_FALSE(execution.hardware().has_l1_hit_rate());
  EXPECT_DOUBLE_EQ(execution.hardware().l2_hit_rate(), 0.25);
  EXPECT_FALSE(execution.hardware().has_duration());
  EXPECT_FALSE(execution.hardware().has_sm_throughput());
}

TEST(MetricTableTest, CopiesThatBypassRegistersAreLoads) {
  const KernelExecution execution = Execution({{"smsp__sass_inst_executed_op_global_ld.sum", 3},
                                               {"smsp__sass_l1tex_t_requests_pipe_lsu_mem_global_op_ldgsts.sum", 4},
                                               {"smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ld.sum", 12},
                                               {"smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ldgsts.sum", 64},
                                               {"smsp__sass_data_bytes_mem_global_op_ld.sum", 12 * 32},
                                               {"smsp__sass_data_bytes_mem_global_op_ldgsts.sum", 16 * 32}});
  EXPECT_EQ(execution.counters().global_load_request_count(), 7);
  EXPECT_EQ(execution.counters().global_load_sector_count(), 76);
  EXPECT_EQ(execution.counters().global_load_ideal_sector_count(), 28);
}

TEST(MetricTableTest, DurationsBeyondASecondKeepTheirSeconds) {
  const KernelExecution execution = Execution({{"gpu__time_duration.sum", 2'500'000'001.0}});
  EXPECT_EQ(execution.hardware().duration().seconds(), 2);
  EXPECT_EQ(execution.hardware().duration().nanos(), 500'000'001);
}

}  // namespace
}  // namespace cudaperf::sandbox
