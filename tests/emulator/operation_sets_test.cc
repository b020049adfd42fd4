// The interpreter's two builds are one machine: same memory, same counters, whatever the host's instruction set.
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "emulator/operations.h"
#include "gtest/gtest.h"
#include "tests/emulator/kernel_fixture.h"

namespace cudaperf::emulator {
namespace {

constexpr uint32_t kThreads = 2048;

// What a launch leaves behind.
struct Trace {
  std::vector<uint32_t> memory;
  std::string execution;
};

class OperationSetsTest : public KernelFixture {
 protected:
  void SetUp() override {
    if (&BestOperations() == &BaselineOperations()) GTEST_SKIP() << "this processor lacks AVX2, FMA, F16C or BMI";
  }

  // `body` runs in kThreads threads; thread %r1 has word %r1 of `input` in %r2 and leaves its word in %r63. %rd0 is the
  // input, %rd2 the address of its own word there.
  Trace Run(std::string_view body, const std::vector<uint32_t>& input, const OperationSet& operations) {
    const absl::StatusOr<std::shared_ptr<const Module>> module = Module::Parse(
        Kernel("mov.u32 %r3, %ctaid.x; mov.u32 %r4, %ntid.x; mad.lo.u32 %r1, %r3, %r4, %r0; mul.wide.u32 %rd3, %r1, 4;"
               "add.s64 %rd2, %rd0, %rd3; ld.global.u32 %r2, [%rd2];\n" +
               std::string(body) + "\nadd.s64 %rd4, %rd1, %rd3; st.global.u32 [%rd4], %r63;"),
        operations);
    if (!module.ok()) {
      ADD_FAILURE() << module.status();
      return {};
    }
    module_ = *module;
    const uint64_t in = Upload(input), out = Output<uint32_t>(kThreads);
    const LaunchResult result = Launch("k", {kThreads / 256, 1, 1}, {256, 1, 1}, in, out, uint64_t{0}, uint64_t{0});
    EXPECT_EQ(result.status, Status::kOk) << result.detail;
    Trace trace{Download<uint32_t>(out, kThreads), result.execution.SerializeAsString()};
    EXPECT_TRUE(memory_.Free(out).ok());
    return trace;
  }

  void ExpectSame(std::string_view body, const std::vector<uint32_t>& input) {
    const Trace portable = Run(body, input, BaselineOperations());
    const Trace best = Run(body, input, BestOperations());
    for (uint32_t t = 0; t < kThreads && t < portable.memory.size() && t < best.memory.size(); ++t)
      ASSERT_EQ(portable.memory[t], best.memory[t]) << body << ": input " << input[t] << " of thread " << t;
    EXPECT_EQ(portable.execution, best.execution) << body;
  }

  // Bit patterns that cover the exponents evenly.
  static std::vector<uint32_t> Scattered(uint32_t seed) {
    std::vector<uint32_t> words(kThreads);
    uint64_t state = seed;
    for (uint32_t& word : words) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      word = static_cast<uint32_t>(state >> 32);
    }
    return words;
  }
};

TEST_F(OperationSetsTest, EveryHalfWidensAlike) {
  for (uint32_t first = 0; first < 0x10000; first += kThreads) {
    std::vector<uint32_t> halves(kThreads);
    for (uint32_t k = 0; k < kThreads; ++k) halves[k] = first + k;
    ExpectSame("cvt.u16.u32 %rs1, %r2; cvt.f32.f16 %f1, %rs1; mov.b32 %r63, %f1;", halves);
  }
}

TEST_F(OperationSetsTest, FloatsNarrowToHalvesAlike) {
  for (uint32_t seed = 1; seed <= 16; ++seed)
    ExpectSame("mov.b32 %f1, %r2; cvt.rn.f16.f32 %rs1, %f1; cvt.u32.u16 %r63, %rs1;", Scattered(seed));
  // Every half, and the floats beside the middle between it and the next one.
  for (const uint32_t offset : {0u, 0xfffu, 0x1000u, 0x1001u}) {
    for (uint32_t exponent = 96; exponent < 144; ++exponent) {
      std::vector<uint32_t> floats(kThreads);
      for (uint32_t k = 0; k < kThreads; ++k) floats[k] = (k & 1) << 31 | exponent << 23 | ((k >> 1) << 13) + offset;
      ExpectSame("mov.b32 %f1, %r2; cvt.rn.f16.f32 %rs1, %f1; cvt.u32.u16 %r63, %rs1;", floats);
    }
  }
}

TEST_F(OperationSetsTest, ArithmeticAndPredicatesAlike) {
  for (uint32_t seed = 1; seed <= 4; ++seed) {
    const std::vector<uint32_t> words = Scattered(seed);
    ExpectSame(
        "mov.b32 %f1, %r2; mul.f32 %f2, %f1, 0f3F8CCCCD; fma.rn.f32 %f3, %f2, %f1, %f2; min.f32 %f4, %f3, %f1;"
        "setp.ltu.f32 %p1, %f4, %f2; selp.f32 %f5, %f4, %f1, %p1; mov.b32 %r10, %f5;"
        "setp.eq.f32 %p2, %f5, %f5; selp.b32 %r63, %r10, 1, %p2;",
        words);
    ExpectSame(
        "mul.hi.u32 %r10, %r2, 0x9e3779b9; popc.b32 %r11, %r10; shf.l.wrap.b32 %r12, %r2, %r10, %r11;"
        "bfind.s32 %r13, %r12; prmt.b32 %r14, %r12, %r10, %r13; dp4a.s32.u32 %r63, %r14, %r2, %r13;",
        words);
    ExpectSame(
        "setp.gt.s32 %p1, %r2, 0; vote.sync.ballot.b32 %r10, %p1, -1; shfl.sync.bfly.b32 %r11, %r2, 5, 31, -1;"
        "redux.sync.add.s32 %r12, %r11, -1; xor.b32 %r63, %r12, %r10;",
        words);
  }
}

TEST_F(OperationSetsTest, BranchesAndGathersAlike) {
  // A loop of as many turns as the low bits say, whose loads go to any word of the input.
  ExpectSame(
      "and.b32 %r10, %r2, 31; mov.u32 %r63, 0; mov.u32 %r11, %r2;\n"
      "LOOP: setp.eq.u32 %p1, %r10, 0; @%p1 bra DONE;\n"
      "and.b32 %r12, %r11, 2047; mul.wide.u32 %rd10, %r12, 4; add.s64 %rd11, %rd0, %rd10;\n"
      "ld.global.u32 %r11, [%rd11]; add.u32 %r63, %r63, %r11; sub.u32 %r10, %r10, 1; bra LOOP;\n"
      "DONE:",
      Scattered(7));
}

}  // namespace
}  // namespace cudaperf::emulator
