// Counters against numbers worked out by hand.
#include "gtest/gtest.h"
#include "tests/emulator/kernel_fixture.h"

namespace cudaperf::emulator {
namespace {

using reward::v1::Counters;

class CountersTest : public KernelFixture {
 protected:
  // One warp loads `type` at base + tid * stride.
  Counters LoadWithStride(const std::string& instruction, int stride_bytes, size_t buffer_floats) {
    const uint64_t in = Upload(std::vector<float>(buffer_floats, 1.0f));
    const LaunchResult result = RunWarp(".loc 1 7 1\nmul.wide.u32 %rd4, %r0, " + std::to_string(stride_bytes) +
                                            "; add.s64 %rd5, %rd0, %rd4; " + instruction,
                                        in);
    EXPECT_EQ(result.status, Status::kOk) << result.detail;
    last_ = result;
    return result.execution.counters();
  }
  // One warp loads from shared memory at tid * stride.
  Counters SharedWithStride(const std::string& instruction, int stride_bytes) {
    Load(Kernel("mov.u32 %r1, s; mad.lo.s32 %r2, %r0, " + std::to_string(stride_bytes) + ", %r1; " + instruction,
                ".shared .align 16 .b8 s[8192];\n"));
    const LaunchResult result = Launch("k", {1, 1, 1}, {32, 1, 1}, uint64_t{0}, uint64_t{0}, uint64_t{0}, uint64_t{0});
    EXPECT_EQ(result.status, Status::kOk) << result.detail;
    return result.execution.counters();
  }
  LaunchResult last_;
};

TEST_F(CountersTest, CoalescedFloatsAreFourSectors) {
  const Counters c = LoadWithStride("ld.global.f32 %f0, [%rd5];", 4, 32);
  EXPECT_EQ(c.global_load_request_count(), 1);
  EXPECT_EQ(c.global_load_sector_count(), 4);
  EXPECT_EQ(c.global_load_ideal_sector_count(), 4);
  EXPECT_EQ(c.global_load_bytes(), 128);
  EXPECT_EQ(c.global_unique_load_sector_count(), 4);
  ASSERT_GE(last_.execution.lines_size(), 1);
  EXPECT_EQ(last_.execution.lines(0).line(), 7);
  EXPECT_EQ(last_.execution.lines(0).file(), "candidate.cu");
  EXPECT_EQ(last_.execution.lines(0).lane_stride_bytes(), 4);
}

TEST_F(CountersTest, Stride33FloatsAreThirtyTwoSectors) {
  const Counters c = LoadWithStride("ld.global.f32 %f0, [%rd5];", 132, 33 * 32);
  EXPECT_EQ(c.global_load_request_count(), 1);
  EXPECT_EQ(c.global_load_sector_count(), 32);
  EXPECT_EQ(c.global_load_ideal_sector_count(), 4);
  EXPECT_EQ(c.global_unique_load_sector_count(), 32);
  EXPECT_EQ(last_.execution.lines(0).lane_stride_bytes(), 132);
}

TEST_F(CountersTest, CoalescedFloat4IsSixteenSectorsInOneRequest) {
  const Counters c = LoadWithStride("ld.global.v4.f32 {%f0, %f1, %f2, %f3}, [%rd5];", 16, 128);
  EXPECT_EQ(c.global_load_request_count(), 1);
  EXPECT_EQ(c.global_load_sector_count(), 16);
  EXPECT_EQ(c.global_load_ideal_sector_count(), 16);
  EXPECT_EQ(c.global_load_bytes(), 512);
}

TEST_F(CountersTest, BroadcastIsOneSectorAndIdealOne) {
  const Counters c = LoadWithStride("ld.global.f32 %f0, [%rd5];", 0, 32);
  EXPECT_EQ(c.global_load_sector_count(), 1);
  EXPECT_EQ(c.global_load_ideal_sector_count(), 1);
  EXPECT_EQ(c.global_load_bytes(), 128);
}

TEST_F(CountersTest, DescendingLanesCountAsAscendingOnes) {
  const uint64_t in = Upload(std::vector<float>(32, 1.0f));
  const LaunchResult result = RunWarp(
      "mov.u32 %r1, 31; sub.s32 %r2, %r1, %r0; mul.wide.u32 %rd4, %r2, 4; add.s64 %rd5, %rd0, %rd4; ld.global.f32 %f0, "
      "[%rd5];",
      in);
  EXPECT_EQ(result.execution.counters().global_load_sector_count(), 4);
}

TEST_F(CountersTest, MisplacedCoalescedLoadTouchesFiveSectors) {
  const uint64_t in = Upload(std::vector<float>(64, 1.0f));
  const LaunchResult result =
      RunWarp("mul.wide.u32 %rd4, %r0, 4; add.s64 %rd5, %rd0, %rd4; ld.global.f32 %f0, [%rd5+4];", in);
  EXPECT_EQ(result.execution.counters().global_load_sector_count(), 5);
  EXPECT_EQ(result.execution.counters().global_load_ideal_sector_count(), 4);
}

TEST_F(CountersTest, StoresCountApartFromLoads) {
  const uint64_t out = Output<float>(33 * 32);
  const LaunchResult result =
      RunWarp("mul.wide.u32 %rd4, %r0, 132; add.s64 %rd5, %rd0, %rd4; st.global.f32 [%rd5], %f0;", out);
  const Counters& c = result.execution.counters();
  EXPECT_EQ(c.global_store_request_count(), 1);
  EXPECT_EQ(c.global_store_sector_count(), 32);
  EXPECT_EQ(c.global_store_ideal_sector_count(), 4);
  EXPECT_EQ(c.global_unique_store_sector_count(), 32);
  EXPECT_EQ(c.global_load_request_count(), 0);
}

TEST_F(CountersTest, ReloadedSectorsAreUniqueOnce) {
  const uint64_t in = Upload(std::vector<float>(32, 1.0f));
  const LaunchResult result = RunWarp(
      "mul.wide.u32 %rd4, %r0, 4; add.s64 %rd5, %rd0, %rd4; ld.global.f32 %f0, [%rd5]; ld.global.f32 %f1, [%rd5];", in);
  EXPECT_EQ(result.execution.counters().global_load_sector_count(), 8);
  EXPECT_EQ(result.execution.counters().global_unique_load_sector_count(), 4);
}

TEST_F(CountersTest, ConsecutiveSharedWordsHaveNoConflict) {
  const Counters c = SharedWithStride("ld.shared.f32 %f0, [%r2];", 4);
  EXPECT_EQ(c.shared_load_request_count(), 1);
  EXPECT_EQ(c.shared_bank_conflict_count(), 0);
}

TEST_F(CountersTest, ColumnOfAThirtyTwoWideTileHasThirtyOneConflicts) {
  const Counters c = SharedWithStride("ld.shared.f32 %f0, [%r2];", 128);
  EXPECT_EQ(c.shared_load_request_count(), 1);
  EXPECT_EQ(c.shared_bank_conflict_count(), 31);
}

TEST_F(CountersTest, PaddedColumnHasNoConflict) {
  EXPECT_EQ(SharedWithStride("ld.shared.f32 %f0, [%r2];", 132).shared_bank_conflict_count(), 0);
}
TEST_F(CountersTest, StrideTwoWordsIsTwoWay) {
  EXPECT_EQ(SharedWithStride("st.shared.f32 [%r2], %f0;", 8).shared_bank_conflict_count(), 1);
}
TEST_F(CountersTest, SharedBroadcastHasNoConflict) {
  EXPECT_EQ(SharedWithStride("ld.shared.f32 %f0, [%r2];", 0).shared_bank_conflict_count(), 0);
}

TEST_F(CountersTest, ConsecutiveWideSharedAccessesHaveNoConflict) {
  EXPECT_EQ(SharedWithStride("ld.shared.f64 %fd0, [%r2];", 8).shared_bank_conflict_count(), 0);
  EXPECT_EQ(SharedWithStride("ld.shared.v4.f32 {%f0, %f1, %f2, %f3}, [%r2];", 16).shared_bank_conflict_count(), 0);
}

TEST_F(CountersTest, DoublesSixteenApartConflictInHalfWarpPhases) {
  // Sixteen lanes 128 bytes apart share two banks: 16 wavefronts a phase, 15 of them in excess.
  EXPECT_EQ(SharedWithStride("ld.shared.f64 %fd0, [%r2];", 128).shared_bank_conflict_count(), 30);
}

TEST_F(CountersTest, FlopsCountLanesAndFusedTwice) {
  const LaunchResult result = RunWarp(
      "fma.rn.f32 %f0, %f1, %f2, %f3; add.f32 %f4, %f0, %f1; mul.f64 %fd0, %fd1, %fd2; fma.rn.f64 %fd3, %fd0, %fd1, "
      "%fd2;"
      "add.rn.f16x2 %r3, %r4, %r5; setp.lt.u32 %p0, %r0, 8; @%p0 mul.f32 %f5, %f0, %f1;",
      0);
  const Counters& c = result.execution.counters();
  EXPECT_EQ(c.flop_fp32_count(), 64 + 32 + 8);
  EXPECT_EQ(c.flop_fp64_count(), 32 + 64);
  EXPECT_EQ(c.flop_fp16_count(), 64);
}

TEST_F(CountersTest, DivergentBranchIsCountedOnceAndLanesReconverge) {
  // 5 set-up instructions, setp, the branch; each side one instruction for its lanes; then two for all.
  const LaunchResult result = RunWarp(
      "setp.lt.u32 %p0, %r0, 10;\n@%p0 bra A;\nmov.u32 %r1, 1;\nbra B;\nA: mov.u32 %r1, 2;\nB: mov.u32 %r2, %r1;", 0);
  const Counters& c = result.execution.counters();
  EXPECT_EQ(c.branch_count(), 1);
  EXPECT_EQ(c.divergent_branch_count(), 1);
  // 5 + setp + bra + (mov + bra) + mov + mov + ret.
  EXPECT_EQ(c.warp_instruction_count(), 12);
  EXPECT_EQ(c.thread_instruction_count(), 7 * 32 + 2 * 22 + 10 + 2 * 32);
}

TEST_F(CountersTest, UniformBranchDoesNotDiverge) {
  const LaunchResult result = RunWarp("setp.lt.u32 %p0, %r0, 100; @%p0 bra A; mov.u32 %r1, 1; A: mov.u32 %r2, %r1;", 0);
  EXPECT_EQ(result.execution.counters().branch_count(), 1);
  EXPECT_EQ(result.execution.counters().divergent_branch_count(), 0);
}

TEST_F(CountersTest, BarriersAtomicsAndShufflesCountWarps) {
  const uint64_t out = Upload(std::vector<uint32_t>(64, 0));
  Load(
      Kernel("bar.sync 0; shfl.sync.bfly.b32 %r1, %r0, 1, 31, -1; red.global.add.u32 [%rd0], 1; mov.u32 %r2, s; "
             "atom.shared.add.u32 %r3, [%r2], 1;",
             ".shared .align 4 .b8 s[4];\n"));
  const LaunchResult result = Launch("k", {1, 1, 1}, {48, 1, 1}, out, uint64_t{0}, uint64_t{0}, uint64_t{0});
  ASSERT_EQ(result.status, Status::kOk) << result.detail;
  const Counters& c = result.execution.counters();
  EXPECT_EQ(c.barrier_count(), 2);
  EXPECT_EQ(c.shuffle_count(), 2);
  EXPECT_EQ(c.global_atomic_request_count(), 2);
  EXPECT_EQ(c.global_atomic_thread_count(), 48);
  EXPECT_EQ(c.shared_atomic_request_count(), 2);
  EXPECT_EQ(Download<uint32_t>(out, 1)[0], 48u);
  EXPECT_EQ(result.execution.longest_warp_instruction_count(), c.warp_instruction_count() / 2);
}

}  // namespace
}  // namespace cudaperf::emulator
