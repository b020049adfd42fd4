#include "sandbox/cupti/launch_description.h"

#include <vector>

#include "gtest/gtest.h"

namespace cudaperf::sandbox {
namespace {

using worker::v1::GpuActivity;
using worker::v1::GpuRecordsResponse;

GpuRecordsResponse Records() {
  GpuRecordsResponse records;
  records.add_activities()->set_kind(GpuActivity::KIND_FILL);
  for (const char* name : {"first", "second"}) {
    GpuActivity* kernel = records.add_activities();
    kernel->set_kind(GpuActivity::KIND_KERNEL);
    kernel->set_kernel(name);
    for (int size : {7, 1, 1}) kernel->add_grid(size);
    for (int size : {64, 2, 1}) kernel->add_block(size);
    kernel->set_register_count(40);
    kernel->set_static_shared_bytes(16);
    kernel->set_dynamic_shared_bytes(1024);
  }
  return records;
}

TEST(LaunchDescriptionTest, KernelsAreDescribedInOrderAndCountersKept) {
  std::vector<reward::v1::KernelExecution> executions(2);
  executions[1].mutable_counters()->set_branch_count(5);
  ASSERT_TRUE(DescribeLaunches(Records(), absl::MakeSpan(executions)));
  EXPECT_EQ(executions[0].kernel(), "first");
  EXPECT_EQ(executions[1].kernel(), "second");
  EXPECT_EQ(executions[1].counters().branch_count(), 5);
  EXPECT_EQ(executions[1].grid(0), 7);
  EXPECT_EQ(executions[1].block(1), 2);
  EXPECT_EQ(executions[1].register_count(), 40);
  EXPECT_EQ(executions[1].static_shared_bytes(), 16);
  EXPECT_EQ(executions[1].dynamic_shared_bytes(), 1024);
}

TEST(LaunchDescriptionTest, OtherNumbersOfKernelsDescribeNothing) {
  std::vector<reward::v1::KernelExecution> executions(3);
  EXPECT_FALSE(DescribeLaunches(Records(), absl::MakeSpan(executions)));
  EXPECT_EQ(executions[0].kernel(), "");
}

}  // namespace
}  // namespace cudaperf::sandbox
