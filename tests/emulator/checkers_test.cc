// Faults, findings, bad launches, barriers and progress.
#include <memory>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/emulator/kernel_fixture.h"

namespace cudaperf::emulator {
namespace {

using reward::v1::Finding;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class CheckersTest : public KernelFixture {
 protected:
  LaunchResult RunBlock(std::string_view body, int64_t threads, std::string_view declarations = "", uint64_t p0 = 0,
                        uint64_t p1 = 0) {
    Load(Kernel(body, declarations));
    return Launch("k", {1, 1, 1}, {threads, 1, 1}, p0, p1, uint64_t{0}, uint64_t{0});
  }
  static constexpr std::string_view kIndex = "mul.wide.u32 %rd4, %r0, 4; add.s64 %rd5, %rd0, %rd4;\n.loc 1 12 3\n";
};

TEST_F(CheckersTest, StoreBeyondTheEndNamesBufferElementLineAndThread) {
  const uint64_t out = Output<float>(20, "y");
  const LaunchResult result = RunBlock(std::string(kIndex) + "st.global.f32 [%rd5], %f0;", 32, "", out);
  EXPECT_EQ(result.status, Status::kFault);
  const Finding* finding = FindFinding(result, reward::v1::FINDING_KIND_OUT_OF_BOUNDS);
  ASSERT_NE(finding, nullptr);
  EXPECT_TRUE(finding->fatal());
  EXPECT_EQ(finding->line(), 12);
  EXPECT_EQ(finding->file(), "candidate.cu");
  EXPECT_THAT(finding->thread(), ElementsAre(20, 0, 0));
  EXPECT_THAT(finding->block(), ElementsAre(0, 0, 0));
  EXPECT_THAT(finding->message(), HasSubstr("4-byte store at element 20 of `y`, which has 20 elements"));
}

TEST_F(CheckersTest, LoadBeforeTheStartIsOutOfBounds) {
  const uint64_t in = Upload(std::vector<float>(32, 0), "x");
  const LaunchResult result = RunBlock("ld.global.f32 %f0, [%rd0+-4];", 1, "", in);
  EXPECT_EQ(result.status, Status::kFault);
  EXPECT_THAT(result.detail, HasSubstr("4 bytes before the start of `x`"));
}

TEST_F(CheckersTest, NullPointerIsNamed) {
  EXPECT_THAT(RunBlock("ld.global.f32 %f0, [%rd0+8];", 1).detail, HasSubstr("null pointer"));
}

TEST_F(CheckersTest, MisalignedAccessIsAFault) {
  const uint64_t in = Upload(std::vector<float>(32, 0));
  EXPECT_NE(
      FindFinding(RunBlock("ld.global.v2.f32 {%f0, %f1}, [%rd0+4];", 1, "", in), reward::v1::FINDING_KIND_MISALIGNED),
      nullptr);
}

TEST_F(CheckersTest, WriteToReadOnlyMemoryIsAFault) {
  const uint64_t in = Upload(std::vector<float>(32, 0), "x", true);
  const LaunchResult result = RunBlock("st.global.f32 [%rd0], %f0;", 1, "", in);
  EXPECT_NE(FindFinding(result, reward::v1::FINDING_KIND_READ_ONLY_WRITE), nullptr);
  EXPECT_THAT(result.detail, HasSubstr("`x`"));
}

TEST_F(CheckersTest, SharedAndLocalRangesAreChecked) {
  EXPECT_THAT(RunBlock("mov.u32 %r1, s; ld.shared.f32 %f0, [%r1+64];", 1, ".shared .align 4 .b8 s[64];\n").detail,
              HasSubstr("shared memory, which has 64 bytes"));
  const LaunchResult local = RunBlock(".local .align 4 .b8 a[16]; mov.u64 %rd4, a; ld.local.f32 %f0, [%rd4+4096];", 1);
  EXPECT_NE(FindFinding(local, reward::v1::FINDING_KIND_STACK_OVERFLOW), nullptr);
}

TEST_F(CheckersTest, UninitialisedGlobalReadIsFoundOnceWithItsCount) {
  options_.checkers = true;
  const uint64_t scratch = Output<float>(64, "scratch");
  const LaunchResult result =
      RunBlock(std::string(kIndex) + "ld.global.f32 %f0, [%rd5]; ld.global.f32 %f0, [%rd5];", 32, "", scratch);
  EXPECT_EQ(result.status, Status::kOk);
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].kind(), reward::v1::FINDING_KIND_UNINITIALIZED_READ);
  EXPECT_EQ(result.findings[0].count(), 64);
  EXPECT_FALSE(result.findings[0].fatal());
  EXPECT_THAT(result.findings[0].message(), HasSubstr("element 0 of `scratch`"));
}

TEST_F(CheckersTest, WrittenMemoryMayBeReadInALaterLaunch) {
  options_.checkers = true;
  const uint64_t scratch = Output<float>(32);
  RunBlock(std::string(kIndex) + "st.global.f32 [%rd5], %f0;", 32, "", scratch);
  EXPECT_TRUE(RunBlock(std::string(kIndex) + "ld.global.f32 %f0, [%rd5];", 32, "", scratch).findings.empty());
}

TEST_F(CheckersTest, PaddingThatAVectorLoadDragsAlongIsNoFinding) {
  options_.checkers = true;
  const uint64_t scratch = Output<float>(4);
  ASSERT_TRUE(memory_.Fill(scratch, 12, 0).ok());
  EXPECT_TRUE(RunBlock("ld.global.v4.f32 {%f0, %f1, %f2, %f3}, [%rd0];", 1, "", scratch).findings.empty());
}

TEST_F(CheckersTest, UninitialisedSharedReadIsFound) {
  options_.checkers = true;
  const LaunchResult result = RunBlock("mov.u32 %r1, s; st.shared.u32 [%r1], %r0; ld.shared.u32 %r2, [%r1+4];", 1,
                                       ".shared .align 4 .b8 s[64];\n");
  EXPECT_NE(FindFinding(result, reward::v1::FINDING_KIND_UNINITIALIZED_READ), nullptr);
}

// Every thread writes its word and reads that of the thread 32 on.
constexpr std::string_view kExchangeStart =
    "mov.u32 %r1, s; shl.b32 %r2, %r0, 2; add.u32 %r3, %r1, %r2; st.shared.u32 [%r3], %r0;\n";
constexpr std::string_view kExchangeEnd =
    "xor.b32 %r4, %r0, 32; shl.b32 %r5, %r4, 2; add.u32 %r6, %r1, %r5; ld.shared.u32 %r7, [%r6];\n"
    "mul.wide.u32 %rd4, %r0, 4; add.s64 %rd5, %rd0, %rd4; st.global.u32 [%rd5], %r7;";
constexpr std::string_view kShared256 = ".shared .align 4 .b8 s[256];\n";

TEST_F(CheckersTest, MissingBarrierIsARaceAndABarrierIsNot) {
  options_.checkers = true;
  const uint64_t out = Output<uint32_t>(64);
  const LaunchResult racing = RunBlock(std::string(kExchangeStart) + std::string(kExchangeEnd), 64, kShared256, out);
  EXPECT_NE(FindFinding(racing, reward::v1::FINDING_KIND_SHARED_RACE), nullptr);
  const LaunchResult clean =
      RunBlock(std::string(kExchangeStart) + "bar.sync 0;\n" + std::string(kExchangeEnd), 64, kShared256, out);
  EXPECT_EQ(clean.status, Status::kOk);
  EXPECT_TRUE(clean.findings.empty());
  EXPECT_EQ(Download<uint32_t>(out, 64)[5], 37u);
}

TEST_F(CheckersTest, MissingBarrierShowsUnderOneOfTheOrders) {
  const uint64_t out = Output<uint32_t>(64);
  const std::string body = std::string(kExchangeStart) + std::string(kExchangeEnd);
  RunBlock(body, 64, kShared256, out);
  const std::vector<uint32_t> ascending = Download<uint32_t>(out, 64);
  options_.warp_schedule = 1;
  RunBlock(body, 64, kShared256, out);
  EXPECT_NE(ascending, Download<uint32_t>(out, 64));
}

TEST_F(CheckersTest, SameValueWritesAndAtomicsAreNoRace) {
  options_.checkers = true;
  const LaunchResult same = RunBlock("mov.u32 %r1, s; st.shared.u32 [%r1], 1; st.shared.u32 [%r1], 1;", 32, kShared256);
  EXPECT_TRUE(same.findings.empty());
  const LaunchResult atomics = RunBlock(
      "mov.u32 %r1, s; setp.eq.u32 %p0, %r0, 0; @%p0 st.shared.u32 [%r1], 0; bar.sync 0; red.shared.add.u32 [%r1], 1;",
      64, kShared256);
  EXPECT_TRUE(atomics.findings.empty());
}

TEST_F(CheckersTest, ExitedThreadsDoNotHoldUpABarrier) {
  EXPECT_EQ(RunBlock("setp.gt.u32 %p0, %r0, 40; @%p0 bra END; bar.sync 0; END: ret;", 64).status, Status::kOk);
}

TEST_F(CheckersTest, BarrierThatCannotCompleteIsADeadlock) {
  const LaunchResult result =
      RunBlock(".loc 1 9 1\nsetp.lt.u32 %p0, %r0, 40; @!%p0 bra B; bar.sync 0; B: bar.sync 1;", 64);
  EXPECT_EQ(result.status, Status::kFault);
  const Finding* finding = FindFinding(result, reward::v1::FINDING_KIND_BARRIER_DEADLOCK);
  ASSERT_NE(finding, nullptr);
  EXPECT_EQ(finding->line(), 9);
  EXPECT_TRUE(finding->fatal());
}

TEST_F(CheckersTest, CountedBarriersAndReductionsWork) {
  const uint64_t out = Output<uint32_t>(96);
  const LaunchResult result = RunBlock(
      "setp.ge.u32 %p0, %r0, 64; @%p0 bra LAST; bar.sync 1, 64; LAST: setp.lt.u32 %p1, %r0, 50; bar.red.popc.u32 %r1, "
      "0, %p1;"
      "mul.wide.u32 %rd4, %r0, 4; add.s64 %rd5, %rd0, %rd4; st.global.u32 [%rd5], %r1;",
      96, "", out);
  ASSERT_EQ(result.status, Status::kOk) << result.detail;
  for (const uint32_t count : Download<uint32_t>(out, 96)) EXPECT_EQ(count, 50u);
}

TEST_F(CheckersTest, EndlessLoopMeetsItsBudget) {
  options_.instruction_budget = 100000;
  const LaunchResult result = RunBlock(".loc 1 4 1\nL: add.u32 %r1, %r1, 1; bra L;", 32);
  EXPECT_EQ(result.status, Status::kBudget);
  const Finding* finding = FindFinding(result, reward::v1::FINDING_KIND_INSTRUCTION_BUDGET);
  ASSERT_NE(finding, nullptr);
  EXPECT_EQ(finding->line(), 4);
  EXPECT_LT(result.execution.counters().warp_instruction_count(), 110000);
}

TEST_F(CheckersTest, SpinLockInsideAWarpMakesProgress) {
  options_.instruction_budget = 10'000'000;
  const uint64_t lock = Upload(std::vector<uint32_t>{0, 0});
  const LaunchResult result = RunBlock(
      "L: atom.global.cas.b32 %r1, [%rd0], 0, 1; setp.ne.u32 %p0, %r1, 0; @%p0 bra L;"
      "ld.volatile.global.u32 %r2, [%rd0+4]; add.u32 %r2, %r2, 1; st.volatile.global.u32 [%rd0+4], %r2; membar.gl; "
      "atom.global.exch.b32 %r3, [%rd0], 0;",
      64, "", lock);
  ASSERT_EQ(result.status, Status::kOk) << result.detail;
  EXPECT_EQ(Download<uint32_t>(lock, 2)[1], 64u);
}

TEST_F(CheckersTest, BlocksThatWaitForLaterBlocksMakeProgress) {
  // Every block adds to a counter and waits until all have: a grid barrier.
  options_.instruction_budget = 100'000'000;
  for (const int threads : {1, 3}) {
    options_.thread_count = threads;
    const uint64_t counter = Upload(std::vector<uint32_t>{0});
    Load(
        Kernel("red.global.add.u32 [%rd0], 1; L: ld.acquire.gpu.global.u32 %r1, [%rd0]; setp.lt.u32 %p0, %r1, 40; @%p0 "
               "bra L;"));
    const LaunchResult result = Launch("k", {40, 1, 1}, {1, 1, 1}, counter, uint64_t{0}, uint64_t{0}, uint64_t{0});
    EXPECT_EQ(result.status, Status::kOk) << result.detail;
  }
}

TEST_F(CheckersTest, ResultsAndCountersDoNotDependOnThreads) {
  const uint64_t in = Upload(std::vector<uint32_t>(4096, 3)), out = Output<uint32_t>(4096);
  Load(
      Kernel("mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mad.lo.s32 %r3, %r1, %r2, %r0; mul.wide.u32 %rd4, %r3, 4; "
             "add.s64 %rd5, %rd0, %rd4;"
             "ld.global.u32 %r4, [%rd5]; add.u32 %r5, %r4, %r3; add.s64 %rd6, %rd1, %rd4; st.global.u32 [%rd6], %r5;"));
  const LaunchResult one = Launch("k", {32, 1, 1}, {128, 1, 1}, in, out, uint64_t{0}, uint64_t{0});
  options_.thread_count = 4;
  const LaunchResult four = Launch("k", {32, 1, 1}, {128, 1, 1}, in, out, uint64_t{0}, uint64_t{0});
  EXPECT_EQ(one.execution.SerializeAsString(), four.execution.SerializeAsString());
  EXPECT_EQ(Download<uint32_t>(out, 4096)[4095], 4098u);
}

TEST_F(CheckersTest, TrapAndAssertionAreDeviceTraps) {
  EXPECT_NE(FindFinding(RunBlock("setp.eq.u32 %p0, %r0, 9; @%p0 trap;", 32), reward::v1::FINDING_KIND_DEVICE_TRAP),
            nullptr);
  const LaunchResult failed = RunBlock(
      "{ .param .b64 a; .param .b64 b; .param .b32 c; .param .b64 d; .param .b64 e; call.uni __assertfail, (a, b, c, "
      "d, e); }",
      32, ".extern .func __assertfail(.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, .param .b64 e);\n");
  EXPECT_NE(FindFinding(failed, reward::v1::FINDING_KIND_DEVICE_TRAP), nullptr);
}

TEST_F(CheckersTest, BadLaunchesAreRefusedWithTheirReason) {
  Load(Kernel("", ".extern .shared .align 16 .b8 s[];\n"));
  const auto refusal = [this](Device::Dimensions grid, Device::Dimensions block) {
    const LaunchResult result = Launch("k", grid, block, uint64_t{0}, uint64_t{0}, uint64_t{0}, uint64_t{0});
    EXPECT_EQ(result.status, Status::kBadLaunch);
    EXPECT_NE(FindFinding(result, reward::v1::FINDING_KIND_BAD_LAUNCH), nullptr);
    return result.detail;
  };
  EXPECT_THAT(refusal({1, 1, 1}, {0, 1, 1}), HasSubstr("block x is 0"));
  EXPECT_THAT(refusal({1, 1, 1}, {1025, 1, 1}), HasSubstr("at most 1024"));
  EXPECT_THAT(refusal({1, 1, 1}, {64, 32, 1}), HasSubstr("2048 threads"));
  EXPECT_THAT(refusal({1, 1, 1}, {1, 1, 65}), HasSubstr("at most 64"));
  EXPECT_THAT(refusal({0, 1, 1}, {1, 1, 1}), HasSubstr("grid x is 0"));
  EXPECT_THAT(refusal({1, 65536, 1}, {1, 1, 1}), HasSubstr("at most 65535"));
  EXPECT_THAT(refusal({int64_t{1} << 31, 1, 1}, {1, 1, 1}), HasSubstr("at most 2147483647"));
  dynamic_shared_bytes_ = 64 * 1024;
  EXPECT_THAT(refusal({1, 1, 1}, {1, 1, 1}), HasSubstr("49152"));
  options_.dynamic_shared_limit_bytes = 1 << 20;
  EXPECT_EQ(Launch("k", {1, 1, 1}, {1, 1, 1}, uint64_t{0}, uint64_t{0}, uint64_t{0}, uint64_t{0}).status, Status::kOk);
  dynamic_shared_bytes_ = 228 * 1024;
  EXPECT_THAT(refusal({1, 1, 1}, {1, 1, 1}), HasSubstr("232448"));
}

}  // namespace
}  // namespace cudaperf::emulator
