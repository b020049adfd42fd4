#include "analyzers/occupancy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace cudaperf::analyzers {
namespace {

GpuSheet Gpu(const char* name) { return *FindGpuSheet(name); }

TEST(OccupancyTest, FullHopperMultiprocessor) {
  const auto occupancy = ComputeOccupancy(Gpu("h200"), {.threads = 256, .registers_per_thread = 32});
  ASSERT_TRUE(occupancy.ok()) << occupancy.status();
  EXPECT_EQ(occupancy->active_blocks_per_multiprocessor(), 8);
  EXPECT_DOUBLE_EQ(occupancy->theoretical(), 1);
}

// 64 K registers: 255 each round up to 256, so 65536 / (256 * 256) = 1 block of 8 warps out of 64.
TEST(OccupancyTest, RegistersLimit) {
  const auto occupancy = ComputeOccupancy(Gpu("h200"), {.threads = 256, .registers_per_thread = 255});
  ASSERT_TRUE(occupancy.ok());
  EXPECT_EQ(occupancy->active_blocks_per_multiprocessor(), 1);
  EXPECT_DOUBLE_EQ(occupancy->theoretical(), 8.0 / 64);
  EXPECT_EQ(occupancy->limiter(), "registers");
}

// 48 KiB and 1 KiB reserved per block: 228 / 49 = 4 blocks of 4 warps out of 64.
TEST(OccupancyTest, SharedMemoryLimits) {
  const auto occupancy =
      ComputeOccupancy(Gpu("h200"), {.threads = 128, .registers_per_thread = 32, .static_shared_bytes = 48 * 1024});
  ASSERT_TRUE(occupancy.ok());
  EXPECT_EQ(occupancy->active_blocks_per_multiprocessor(), 4);
  EXPECT_DOUBLE_EQ(occupancy->theoretical(), 16.0 / 64);
  EXPECT_EQ(occupancy->limiter(), "shared memory");
}

TEST(OccupancyTest, SmallBlocksAreLimitedByTheirNumber) {
  const auto hopper = ComputeOccupancy(Gpu("h200"), {.threads = 32, .registers_per_thread = 16});
  const auto ada = ComputeOccupancy(Gpu("rtx4090"), {.threads = 32, .registers_per_thread = 16});
  ASSERT_TRUE(hopper.ok() && ada.ok());
  EXPECT_EQ(hopper->active_blocks_per_multiprocessor(), 32);
  EXPECT_DOUBLE_EQ(hopper->theoretical(), 0.5);
  EXPECT_EQ(hopper->limiter(), "blocks");
  EXPECT_EQ(ada->active_blocks_per_multiprocessor(), 24);
}

TEST(OccupancyTest, AdaHoldsFewerThreads) {
  const auto occupancy = ComputeOccupancy(Gpu("l40s"), {.threads = 1024, .registers_per_thread = 32});
  ASSERT_TRUE(occupancy.ok());
  EXPECT_EQ(occupancy->active_blocks_per_multiprocessor(), 1);
  EXPECT_NEAR(occupancy->theoretical(), 1024.0 / 1536, 1e-12);
}

TEST(OccupancyTest, LargeDynamicSharedMemoryNeedsNoSpecialCase) {
  const auto occupancy =
      ComputeOccupancy(Gpu("h200"), {.threads = 256, .registers_per_thread = 32, .dynamic_shared_bytes = 200 * 1024});
  ASSERT_TRUE(occupancy.ok()) << occupancy.status();
  EXPECT_EQ(occupancy->active_blocks_per_multiprocessor(), 1);
}

TEST(OccupancyTest, BlocksThatFitNowhereAreRefused) {
  const BlockShape shapes[] = {{.threads = 0},
                               {.threads = 1025},
                               {.threads = -1},
                               {.threads = 1024, .registers_per_thread = 128},
                               {.threads = 32, .static_shared_bytes = 228 * 1024},
                               {.threads = 32, .dynamic_shared_bytes = -1}};
  for (const BlockShape& shape : shapes) {
    EXPECT_EQ(ComputeOccupancy(Gpu("h200"), shape).status().code(), absl::StatusCode::kInvalidArgument)
        << shape.threads;
  }
}

TEST(OccupancyTest, EverySheetIsUsable) {
  for (const GpuSheet& sheet : GpuSheets()) {
    const auto occupancy = ComputeOccupancy(sheet, {.threads = 128, .registers_per_thread = 32});
    ASSERT_TRUE(occupancy.ok()) << sheet.name << occupancy.status();
    EXPECT_DOUBLE_EQ(occupancy->theoretical(), 1) << sheet.name;
  }
}

}  // namespace
}  // namespace cudaperf::analyzers
