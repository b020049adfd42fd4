#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "analyzers/instruction_mix_analyzer.h"

namespace cudaperf::analyzers {
namespace {

using reward::v1::InstructionMix;

InstructionMix MixOf(const std::string& body) {
  const auto mixes =
      CountInstructions(".version 9.0\n.target sm_90\n.visible .entry k(\n.param .u64 p\n)\n{\n" + body + "\n}\n");
  EXPECT_EQ(mixes.size(), 1u);
  return mixes.empty() ? InstructionMix() : mixes.front();
}

TEST(InstructionMixTest, KernelAsNvccWritesIt) {
  const InstructionMix mix = MixOf(R"(
    .reg .pred %p<2>;
    .shared .align 4 .b8 tile[256];
    .loc 1 7 3
    ld.param.u64 %rd1, [k_param_0];      // a parameter is no memory access
    mov.u32 %r1, %tid.x;
    setp.ge.s32 %p1, %r1, %r2;
    @%p1 bra $L__BB0_2;
    .loc 1 8 3, function_name $L__info_string0, inlined_at 1 9 1
    ld.global.nc.v4.f32 {%f1, %f2, %f3, %f4}, [%rd2];
    ld.global.f32 %f5, [%rd3];
    st.shared.f32 [%r3], %f1;
    bar.sync 0;
    ld.shared.f32 %f6, [%r3];
    fma.rn.f32 %f7, %f6, %f5, %f2;
    ex2.approx.ftz.f32 %f8, %f7;
    cvt.rn.f32.s32 %f9, %r1;
    shfl.sync.bfly.b32 %r5|%p2, %r4, 1, 31, -1;
    st.global.f32 [%rd4], %f8;
$L__BB0_2:
    atom.global.add.u32 %r6, [%rd5], 1;
    st.local.u32 [%rd6], %r6;
    ret;)");
  EXPECT_EQ(mix.kernel(), "k");
  EXPECT_EQ(mix.instruction_count(), 17);
  EXPECT_EQ(mix.global_load_count(), 2);
  EXPECT_EQ(mix.global_store_count(), 1);
  EXPECT_EQ(mix.shared_load_count(), 1);
  EXPECT_EQ(mix.shared_store_count(), 1);
  EXPECT_EQ(mix.local_access_count(), 1);
  EXPECT_EQ(mix.atomic_count(), 1);
  EXPECT_EQ(mix.barrier_count(), 1);
  EXPECT_EQ(mix.branch_count(), 1);
  EXPECT_EQ(mix.floating_point_count(), 1);
  EXPECT_EQ(mix.integer_count(), 1);
  EXPECT_EQ(mix.special_function_count(), 1);
  EXPECT_EQ(mix.conversion_count(), 1);
  EXPECT_EQ(mix.shuffle_count(), 1);
  EXPECT_EQ(mix.widest_global_access_bytes(), 16);
  EXPECT_EQ(mix.global_accesses_by_width().at(16), 1);
  EXPECT_EQ(mix.global_accesses_by_width().at(4), 2);
}

TEST(InstructionMixTest, OneInstructionEach) {
  const struct {
    const char* text;
    int64_t (InstructionMix::*count)() const;
  } instructions[] = {
      {"ld.volatile.global.u64 %rd1, [%rd2];", &InstructionMix::global_load_count},
      {"ld.f32 %f1, [%rd2];", &InstructionMix::global_load_count},
      {"st.b16 [%rd2], %rs1;", &InstructionMix::global_store_count},
      {"cp.async.cg.shared.global [%r1], [%rd1], 16;", &InstructionMix::global_load_count},
      {"cp.async.cg.shared.global [%r1], [%rd1], 16;", &InstructionMix::shared_store_count},
      {"ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r1,%r2,%r3,%r4}, [%r5];", &InstructionMix::shared_load_count},
      {"ld.shared::cta.u32 %r1, [%r2];", &InstructionMix::shared_load_count},
      {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1,%f2,%f3,%f4}, {%r1,%r2,%r3,%r4}, {%r5,%r6}, "
       "{%f5,%f6,%f7,%f8};",
       &InstructionMix::tensor_count},
      {"wmma.mma.sync.aligned.row.row.m16n16k16.f32.f32 {%f1}, {%r1}, {%r2}, {%f2};", &InstructionMix::tensor_count},
      {"wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1}, %rd1, %rd2, 1, 1, 1, 0, 0;",
       &InstructionMix::tensor_count},
      {"red.global.add.f32 [%rd1], %f1;", &InstructionMix::atomic_count},
      {"barrier.sync.aligned 0;", &InstructionMix::barrier_count},
      {"bar.red.popc.u32 %r1, 0, %p1;", &InstructionMix::barrier_count},
      {"@!%p1 bra.uni $L1;", &InstructionMix::branch_count},
      {"rsqrt.approx.f32 %f1, %f2;", &InstructionMix::special_function_count},
      {"{add.f16x2 %r1,%r2,%r3;}", &InstructionMix::floating_point_count},
      {"mul.wide.s32 %rd1, %r1, 4;", &InstructionMix::integer_count},
      {"and.pred %p1, %p2, %p3;", &InstructionMix::integer_count},
      {"fma.rn.bf16x2 %r1, %r2, %r3, %r4;", &InstructionMix::floating_point_count},
      {"cvt.rn.f16.f32 %rs1, %f1;", &InstructionMix::conversion_count},
  };
  for (const auto& instruction : instructions) {
    const InstructionMix mix = MixOf(instruction.text);
    EXPECT_EQ(mix.instruction_count(), 1) << instruction.text;
    EXPECT_EQ((mix.*instruction.count)(), 1) << instruction.text;
  }
}

TEST(InstructionMixTest, WarpBarrierIsNoBlockBarrier) {
  EXPECT_EQ(MixOf("bar.warp.sync 0xffffffff;").barrier_count(), 0);
}

TEST(InstructionMixTest, WidthsFollowTypeAndVector) {
  const std::pair<const char*, int> widths[] = {
      {"ld.global.u8 %rs1, [%rd1];", 1},    {"ld.global.v2.u16 {%rs1,%rs2}, [%rd1];", 4},
      {"ld.global.f64 %fd1, [%rd1];", 8},   {"ld.global.v2.f64 {%fd1,%fd2}, [%rd1];", 16},
      {"ld.global.b128 %rq1, [%rd1];", 16}, {"cp.async.ca.shared.global [%r1], [%rd1], 8;", 8}};
  for (const auto& [text, width] : widths) EXPECT_EQ(MixOf(text).widest_global_access_bytes(), width) << text;
}

TEST(InstructionMixTest, KernelsAreKeptApartAndFunctionsLeftOut) {
  const auto mixes = CountInstructions(R"(
.global .align 4 .b8 table[4] = {1, 2, 3, 4};
.extern .shared .align 16 .b8 dynamic[];
.func (.param .b32 r) helper(.param .b32 a)
{
  add.s32 %r1, %r1, 1;
  ret;
}
.visible .entry first()
.maxntid 256, 1, 1
{
  { .reg .u32 t; add.s32 t, t, 1; }
  ret;
}
.weak .entry second(.param .u64 p)
{
  ret;
}
.section .debug_str
{
.b8 95
}
)");
  ASSERT_EQ(mixes.size(), 2u);
  EXPECT_EQ(mixes[0].kernel(), "first");
  EXPECT_EQ(mixes[0].instruction_count(), 2);
  EXPECT_EQ(mixes[1].kernel(), "second");
  EXPECT_EQ(mixes[1].instruction_count(), 1);
}

TEST(InstructionMixTest, CommentsAndStringsHoldNoInstructions) {
  const InstructionMix mix =
      MixOf("/* ld.global.f32 a, [b]; */ // st.global.f32 [a], b;\n.pragma \"ld.global.f32 a, [b];\";\nret;");
  EXPECT_EQ(mix.instruction_count(), 1);
  EXPECT_EQ(mix.global_load_count(), 0);
}

TEST(InstructionMixTest, EndlessKernelListIsCut) {
  std::string ptx;
  for (int i = 0; i < 1000; ++i) ptx += ".entry k" + std::to_string(i) + "(){ret;}\n";
  EXPECT_EQ(CountInstructions(ptx).size(), 256u);
}

TEST(InstructionMixTest, AnalyzerFillsInItsOwnFieldOnly) {
  const reward::v1::CudaTask task;
  const reward::v1::Candidate candidate;
  const reward::v1::CompileReport compile;
  const auto report = InstructionMixAnalyzer().Analyze({task, candidate, compile, ".entry k(){ret;}"});
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report->instruction_mixes_size(), 1);
  EXPECT_EQ(report->source_findings_size(), 0);
}

}  // namespace
}  // namespace cudaperf::analyzers
