// What instructions compute, by family, against values worked out by hand or by the host's IEEE arithmetic.
#include <bit>
#include <cmath>
#include <limits>

#include "absl/strings/str_format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/emulator/kernel_fixture.h"

namespace cudaperf::emulator {
namespace {

class InstructionsTest : public KernelFixture {
 protected:
  uint32_t U32(const std::string& body) { return Evaluate<uint32_t>(body)[5]; }
  uint64_t U64(const std::string& body) { return Evaluate<uint64_t>(body)[5]; }
  float F32(const std::string& body) { return Evaluate<float>(body)[5]; }
  double F64(const std::string& body) { return Evaluate<double>(body)[5]; }
  uint16_t U16(const std::string& body) { return Evaluate<uint16_t>(body)[5]; }
  static std::string Hex(float value) { return absl::StrFormat("0f%08X", std::bit_cast<uint32_t>(value)); }
  static std::string Hex(double value) { return absl::StrFormat("0d%016X", std::bit_cast<uint64_t>(value)); }
};

TEST_F(InstructionsTest, IntegerArithmetic) {
  EXPECT_EQ(U32("add.s32 %r63, %r0, -7;"), static_cast<uint32_t>(-2));
  EXPECT_EQ(U32("mov.u32 %r1, 0x7fffffff; add.sat.s32 %r63, %r1, 5;"), 0x7fffffffu);
  EXPECT_EQ(U32("mov.u32 %r1, 0x80000000; sub.sat.s32 %r63, %r1, 5;"), 0x80000000u);
  EXPECT_EQ(U32("mov.u32 %r1, 0xfffffff0; mul.lo.u32 %r63, %r1, %r1;"), 0x100u);
  EXPECT_EQ(U32("mov.u32 %r1, 0xfffffff0; mul.hi.u32 %r63, %r1, %r1;"), 0xffffffe0u);
  EXPECT_EQ(U32("mov.u32 %r1, 0xfffffff0; mul.hi.s32 %r63, %r1, %r1;"), 0u);
  EXPECT_EQ(U64("mov.u32 %r1, 0xfffffff0; mul.wide.s32 %rd63, %r1, 3;"), static_cast<uint64_t>(-48));
  EXPECT_EQ(U64("mov.u32 %r1, 0xfffffff0; mov.u64 %rd5, 1; mad.wide.u32 %rd63, %r1, 3, %rd5;"), 0x2ffffffd1u);
  EXPECT_EQ(U32("mad.lo.s32 %r63, %r0, %r0, 1;"), 26u);
  EXPECT_EQ(U64("mov.u64 %rd5, 0x123456789abcdef0; mul.hi.u64 %rd63, %rd5, %rd5;"),
            static_cast<uint64_t>((static_cast<unsigned __int128>(0x123456789abcdef0u) * 0x123456789abcdef0u) >> 64));
  EXPECT_EQ(U32("mov.u32 %r1, -17; div.s32 %r63, %r1, 5;"), static_cast<uint32_t>(-3));
  EXPECT_EQ(U32("mov.u32 %r1, -17; rem.s32 %r63, %r1, 5;"), static_cast<uint32_t>(-2));
  EXPECT_EQ(U32("mov.u32 %r1, 0x80000000; div.s32 %r63, %r1, -1;"), 0x80000000u);
  EXPECT_EQ(U32("mov.u32 %r1, 0; div.u32 %r63, %r0, %r1;"), 0xffffffffu);
  EXPECT_EQ(U64("mov.u64 %rd5, -100; rem.s64 %rd63, %rd5, 7;"), static_cast<uint64_t>(-2));
  EXPECT_EQ(U32("mov.u32 %r1, -5; min.s32 %r63, %r0, %r1;"), static_cast<uint32_t>(-5));
  EXPECT_EQ(U32("mov.u32 %r1, -5; max.u32 %r63, %r0, %r1;"), static_cast<uint32_t>(-5));
  EXPECT_EQ(U32("mov.u32 %r1, -5; abs.s32 %r63, %r1;"), 5u);
  EXPECT_EQ(U32("neg.s32 %r63, %r0;"), static_cast<uint32_t>(-5));
  EXPECT_EQ(U32("mov.u32 %r1, -5; sad.s32 %r63, %r0, %r1, 3;"), 13u);
  EXPECT_EQ(U32("mov.u32 %r1, -1; add.cc.u32 %r2, %r1, 1; addc.u32 %r63, %r0, 0;"), 6u);
  EXPECT_EQ(U32("mov.u32 %r1, 0; sub.cc.u32 %r2, %r1, 1; subc.u32 %r63, %r0, 0;"), 4u);
  EXPECT_EQ(U32("mov.u32 %r1, 0xffffff; mul24.lo.s32 %r63, %r1, 3;"), static_cast<uint32_t>(-3));
}

TEST_F(InstructionsTest, SixteenBitArithmeticWraps) {
  EXPECT_EQ(U16("mov.u16 %rs1, 0xfff0; add.u16 %rs31, %rs1, 0x20;"), 0x10);
  EXPECT_EQ(U16("mov.u16 %rs1, 300; mul.lo.u16 %rs31, %rs1, %rs1;"), static_cast<uint16_t>(90000));
  EXPECT_EQ(U32("mov.u16 %rs1, -2; mul.wide.s16 %r63, %rs1, 3;"), static_cast<uint32_t>(-6));
  EXPECT_EQ(U16("mov.u16 %rs1, 0x8000; shr.s16 %rs31, %rs1, 3;"), 0xf000);
}

TEST_F(InstructionsTest, Bits) {
  EXPECT_EQ(U32("mov.u32 %r1, 0xf0f01234; popc.b32 %r63, %r1;"), 13u);
  EXPECT_EQ(U32("mov.u32 %r1, 0x00f01234; clz.b32 %r63, %r1;"), 8u);
  EXPECT_EQ(U32("mov.u32 %r1, 0x80000001; brev.b32 %r63, %r1;"), 0x80000001u);
  EXPECT_EQ(U32("mov.u32 %r1, 0x12345678; brev.b32 %r63, %r1;"), 0x1e6a2c48u);
  EXPECT_EQ(U32("mov.u32 %r1, 0x12345678; bfe.u32 %r63, %r1, 8, 8;"), 0x56u);
  EXPECT_EQ(U32("mov.u32 %r1, 0x12348678; bfe.s32 %r63, %r1, 8, 8;"), 0xffffff86u);
  EXPECT_EQ(U32("mov.u32 %r1, 0xabcd; mov.u32 %r2, -1; bfi.b32 %r63, %r1, %r2, 8, 8;"), 0xffffcdffu);
  EXPECT_EQ(U32("mov.u32 %r1, 0x00f01234; bfind.u32 %r63, %r1;"), 23u);
  EXPECT_EQ(U32("mov.u32 %r1, 0x00f01234; bfind.shiftamt.u32 %r63, %r1;"), 8u);
  EXPECT_EQ(U32("mov.u32 %r1, 0x33221100; mov.u32 %r2, 0x77665544; prmt.b32 %r63, %r1, %r2, 0x7531;"), 0x77553311u);
  EXPECT_EQ(U32("mov.u32 %r1, 0x33228100; prmt.b32 %r63, %r1, 0, 0x9999;"), 0xffffffffu);
  EXPECT_EQ(U32("mov.u32 %r1, 0xf0f0f0f0; mov.u32 %r2, 0xcccccccc; mov.u32 %r3, 0xaaaaaaaa; lop3.b32 %r63, %r1, %r2, "
                "%r3, 0x96;"),
            0xf0f0f0f0u ^ 0xccccccccu ^ 0xaaaaaaaau);
  EXPECT_EQ(U32("mov.u32 %r1, 0x12345678; mov.u32 %r2, 0x9abcdef0; shf.l.wrap.b32 %r63, %r1, %r2, 8;"), 0xbcdef012u);
  EXPECT_EQ(U32("mov.u32 %r1, 0x12345678; mov.u32 %r2, 0x9abcdef0; shf.r.wrap.b32 %r63, %r1, %r2, 8;"), 0xf0123456u);
  EXPECT_EQ(U32("mov.u32 %r1, 1; shl.b32 %r63, %r1, 40;"), 0u);
  EXPECT_EQ(U32("mov.u32 %r1, -8; shr.s32 %r63, %r1, 40;"), 0xffffffffu);
  EXPECT_EQ(U32("mov.u32 %r1, 0x2c; fns.b32 %r63, %r1, 0, 2;"), 3u);
  EXPECT_EQ(U32("mov.u32 %r1, 0x01ff0203; mov.u32 %r2, 0x01010101; dp4a.s32.s32 %r63, %r1, %r2, 10;"), 15u);
  EXPECT_EQ(U32("mov.b64 %rd5, {%r0, %r0}; mov.b64 {%r2, %r63}, %rd5;"), 5u);
  EXPECT_EQ(U64("mov.u32 %r1, 7; mov.b64 %rd63, {%r1, %r0};"), 0x500000007u);
}

TEST_F(InstructionsTest, Fp32IsIeee) {
  const float third = 1.0f / 3.0f;
  EXPECT_EQ(F32("mov.f32 %f1, " + Hex(third) + "; fma.rn.f32 %f63, %f1, " + Hex(3.0f) + ", " + Hex(-1.0f) + ";"),
            std::fma(third, 3.0f, -1.0f));
  EXPECT_EQ(F32("mov.f32 %f1, " + Hex(third) + "; mul.f32 %f63, %f1, " + Hex(3.0f) + ";"), third * 3.0f);
  EXPECT_EQ(F32("mov.f32 %f1, " + Hex(1.0f) + "; div.rn.f32 %f63, %f1, " + Hex(3.0f) + ";"), third);
  EXPECT_EQ(F32("mov.f32 %f1, " + Hex(1.0f) + "; div.rz.f32 %f63, %f1, " + Hex(3.0f) + ";"),
            std::nextafter(third, 0.0f));
  EXPECT_EQ(F32("mov.f32 %f1, " + Hex(1.0f) + "; add.rp.f32 %f63, %f1, " + Hex(1e-20f) + ";"),
            std::nextafter(1.0f, 2.0f));
  EXPECT_EQ(F32("mov.f32 %f1, " + Hex(1.0f) + "; add.rm.f32 %f63, %f1, " + Hex(-1e-20f) + ";"),
            std::nextafter(1.0f, 0.0f));
  EXPECT_EQ(F32("mov.f32 %f1, " + Hex(2.0f) + "; sqrt.rn.f32 %f63, %f1;"), std::sqrt(2.0f));
  EXPECT_EQ(F32("mov.f32 %f1, " + Hex(1e-40f) + "; add.f32 %f63, %f1, %f1;"), 1e-40f + 1e-40f);
  EXPECT_EQ(F32("mov.f32 %f1, " + Hex(1e-40f) + "; add.ftz.f32 %f63, %f1, %f1;"), 0.0f);
  EXPECT_EQ(F32("mov.f32 %f1, " + Hex(5.0f) + "; add.sat.f32 %f63, %f1, %f1;"), 1.0f);
  EXPECT_EQ(F32("mov.f32 %f1, 0f7FC00000; min.f32 %f63, %f1, " + Hex(2.0f) + ";"), 2.0f);
  EXPECT_TRUE(std::signbit(F32("mov.f32 %f1, 0f80000000; min.f32 %f63, %f1, 0f00000000;")));
  EXPECT_NEAR(F32("mov.f32 %f1, " + Hex(2.0f) + "; rsqrt.approx.f32 %f63, %f1;"), 0.70710678f, 1e-6);
  EXPECT_NEAR(F32("mov.f32 %f1, " + Hex(3.5f) + "; ex2.approx.ftz.f32 %f63, %f1;"), 11.313708f, 1e-5);
  EXPECT_NEAR(F32("mov.f32 %f1, " + Hex(10.0f) + "; lg2.approx.f32 %f63, %f1;"), 3.3219281f, 1e-6);
  EXPECT_NEAR(F32("mov.f32 %f1, " + Hex(1.0f) + "; sin.approx.f32 %f63, %f1;"), 0.841471f, 1e-6);
  EXPECT_EQ(F32("mov.f32 %f1, " + Hex(1.5f) + "; copysign.f32 %f63, " + Hex(-2.0f) + ", %f1;"), -1.5f);
}

TEST_F(InstructionsTest, Fp64IsIeee) {
  EXPECT_EQ(F64("mov.f64 %fd1, " + Hex(0.1) + "; fma.rn.f64 %fd31, %fd1, " + Hex(10.0) + ", " + Hex(-1.0) + ";"),
            std::fma(0.1, 10.0, -1.0));
  EXPECT_EQ(F64("mov.f64 %fd1, " + Hex(2.0) + "; div.rn.f64 %fd31, %fd1, " + Hex(3.0) + ";"), 2.0 / 3.0);
  EXPECT_EQ(F64("mov.f64 %fd1, " + Hex(1.0) + "; div.rp.f64 %fd31, %fd1, " + Hex(3.0) + ";"),
            std::nextafter(1.0 / 3.0, 1.0));
}

TEST_F(InstructionsTest, Comparisons) {
  EXPECT_EQ(U32("setp.lt.and.s32 %p0|%p1, %r0, 6, 1; selp.u32 %r1, 1, 0, %p0; selp.u32 %r2, 2, 0, %p1; add.u32 %r63, "
                "%r1, %r2;"),
            1u);
  EXPECT_EQ(U32("setp.gt.u32 %p2, %r0, 9; setp.lt.and.s32 %p0, %r0, 6, %p2; selp.u32 %r63, 1, 0, %p0;"), 0u);
  EXPECT_EQ(U32("mov.f32 %f1, 0f7FC00000; setp.ne.f32 %p0, %f1, %f1; selp.u32 %r63, 1, 0, %p0;"), 0u);
  EXPECT_EQ(U32("mov.f32 %f1, 0f7FC00000; setp.neu.f32 %p0, %f1, %f1; selp.u32 %r63, 1, 0, %p0;"), 1u);
  EXPECT_EQ(U32("mov.f32 %f1, 0f7FC00000; setp.ltu.f32 %p0, %f1, %f1; selp.u32 %r63, 1, 0, %p0;"), 1u);
  EXPECT_EQ(U32("mov.f32 %f1, 0f7FC00000; setp.nan.f32 %p0, %f1, %f1; selp.u32 %r63, 1, 0, %p0;"), 1u);
  EXPECT_EQ(U32("mov.u32 %r1, -1; setp.hi.u32 %p0, %r1, %r0; selp.u32 %r63, 1, 0, %p0;"), 1u);
  EXPECT_EQ(U32("mov.u32 %r1, 3; set.gt.u32.u32 %r63, %r0, %r1;"), 0xffffffffu);
  EXPECT_EQ(U32("mov.pred %p1, 1; not.pred %p2, %p1; xor.pred %p3, %p1, %p2; selp.u32 %r63, 7, 8, %p3;"), 7u);
  EXPECT_EQ(U32("mov.f32 %f1, 0f7F800000; testp.infinite.f32 %p0, %f1; selp.u32 %r63, 1, 0, %p0;"), 1u);
}

TEST_F(InstructionsTest, Conversions) {
  EXPECT_EQ(U32("mov.f32 %f1, " + Hex(-3.7f) + "; cvt.rzi.s32.f32 %r63, %f1;"), static_cast<uint32_t>(-3));
  EXPECT_EQ(U32("mov.f32 %f1, " + Hex(2.5f) + "; cvt.rni.s32.f32 %r63, %f1;"), 2u);
  EXPECT_EQ(U32("mov.f32 %f1, " + Hex(-3.2f) + "; cvt.rmi.s32.f32 %r63, %f1;"), static_cast<uint32_t>(-4));
  EXPECT_EQ(U32("mov.f32 %f1, " + Hex(3.2f) + "; cvt.rpi.u32.f32 %r63, %f1;"), 4u);
  EXPECT_EQ(U32("mov.f32 %f1, " + Hex(1e20f) + "; cvt.rzi.s32.f32 %r63, %f1;"), 0x7fffffffu);
  EXPECT_EQ(U32("mov.f32 %f1, " + Hex(-1e20f) + "; cvt.rzi.u32.f32 %r63, %f1;"), 0u);
  EXPECT_EQ(U32("mov.f32 %f1, 0f7FC00000; cvt.rzi.s32.f32 %r63, %f1;"), 0u);
  EXPECT_EQ(U32("mov.u32 %r1, 300; cvt.u8.u32 %r63, %r1;"), 44u);
  EXPECT_EQ(U32("mov.u32 %r1, 300; cvt.sat.u8.u32 %r63, %r1;"), 255u);
  EXPECT_EQ(U32("mov.u32 %r1, -300; cvt.sat.s8.s32 %r63, %r1;"), static_cast<uint32_t>(-128));
  EXPECT_EQ(U32("mov.u32 %r1, 200; cvt.s32.s8 %r63, %r1;"), static_cast<uint32_t>(-56));
  EXPECT_EQ(U64("mov.u32 %r1, -5; cvt.s64.s32 %rd63, %r1;"), static_cast<uint64_t>(-5));
  EXPECT_EQ(F32("mov.u32 %r1, 0xffffffff; cvt.rn.f32.u32 %f63, %r1;"), 4294967296.0f);
  EXPECT_EQ(F32("mov.u32 %r1, 0xffffffff; cvt.rz.f32.u32 %f63, %r1;"), std::nextafter(4294967296.0f, 0.0f));
  EXPECT_EQ(F32("mov.u64 %rd5, 0xffffffffffffffff; cvt.rn.f32.u64 %f63, %rd5;"), 18446744073709551616.0f);
  EXPECT_EQ(F64("mov.u64 %rd5, -3; cvt.rn.f64.s64 %fd31, %rd5;"), -3.0);
  EXPECT_EQ(F32("mov.f64 %fd1, " + Hex(0.1) + "; cvt.rn.f32.f64 %f63, %fd1;"), 0.1f);
  EXPECT_EQ(F32("mov.f64 %fd1, " + Hex(0.1) + "; cvt.rz.f32.f64 %f63, %fd1;"), std::nextafter(0.1f, 0.0f));
  EXPECT_EQ(F64("mov.f64 %fd1, " + Hex(-2.7) + "; cvt.rzi.f64.f64 %fd31, %fd1;"), -2.0);
  EXPECT_EQ(F32("mov.f32 %f1, " + Hex(7.0f) + "; cvt.sat.f32.f32 %f63, %f1;"), 1.0f);
}

TEST_F(InstructionsTest, Halves) {
  EXPECT_EQ(U16("mov.f32 %f1, " + Hex(1.5f) + "; cvt.rn.f16.f32 %rs31, %f1;"), 0x3e00);
  EXPECT_EQ(U16("mov.f32 %f1, " + Hex(65520.0f) + "; cvt.rn.f16.f32 %rs31, %f1;"), 0x7c00);
  EXPECT_EQ(U16("mov.f32 %f1, " + Hex(65520.0f) + "; cvt.rz.f16.f32 %rs31, %f1;"), 0x7bff);
  EXPECT_EQ(U16("mov.f32 %f1, " + Hex(1e-7f) + "; cvt.rn.f16.f32 %rs31, %f1;"), 0x0002);
  EXPECT_EQ(F32("mov.b16 %rs1, 0x0001; cvt.f32.f16 %f63, %rs1;"), 0x1p-24f);
  // 1.0009765625 * 1.0009765625 + tiny: a fused operation must not round twice.
  EXPECT_EQ(
      U16("mov.b16 %rs1, 0x3c01; mov.b16 %rs2, 0x3c01; mov.b16 %rs3, 0x0000; fma.rn.f16 %rs31, %rs1, %rs2, %rs3;"),
      0x3c02);
  EXPECT_EQ(U32("mov.u32 %r1, 0x3c004000; mov.u32 %r2, 0x40003c00; add.rn.f16x2 %r63, %r1, %r2;"), 0x42004200u);
  EXPECT_EQ(U32("mov.u32 %r1, 0x3c004000; mov.u32 %r2, 0x40003c00; set.gt.f16x2.f16x2 %r63, %r1, %r2;"), 0x00003c00u);
  EXPECT_EQ(U16("mov.f32 %f1, " + Hex(1.00390625f) + "; cvt.rn.bf16.f32 %rs31, %f1;"), 0x3f80);
  EXPECT_EQ(U32("mov.f32 %f1, " + Hex(1.0f) + "; mov.f32 %f2, " + Hex(2.0f) + "; cvt.rn.f16x2.f32 %r63, %f1, %f2;"),
            0x3c004000u);
}

TEST_F(InstructionsTest, ShufflesAndVotes) {
  EXPECT_EQ(Evaluate<uint32_t>("shfl.sync.down.b32 %r63, %r0, 1, 31, -1;")[30], 31u);
  EXPECT_EQ(Evaluate<uint32_t>("shfl.sync.down.b32 %r63|%p0, %r0, 1, 31, -1; @!%p0 mov.u32 %r63, 99;")[31], 99u);
  EXPECT_EQ(Evaluate<uint32_t>("shfl.sync.up.b32 %r63, %r0, 2, 0, -1;")[9], 7u);
  EXPECT_EQ(Evaluate<uint32_t>("shfl.sync.bfly.b32 %r63, %r0, 16, 31, -1;")[3], 19u);
  // Segments of eight lanes.
  EXPECT_EQ(Evaluate<uint32_t>("shfl.sync.idx.b32 %r63, %r0, 1, 6175, -1;")[20], 17u);
  EXPECT_EQ(Evaluate<uint32_t>("setp.lt.u32 %p0, %r0, 4; vote.sync.ballot.b32 %r63, %p0, -1;")[20], 0xfu);
  EXPECT_EQ(
      Evaluate<uint32_t>("setp.lt.u32 %p0, %r0, 4; vote.sync.any.pred %p1, %p0, -1; selp.u32 %r63, 1, 0, %p1;")[20],
      1u);
  EXPECT_EQ(Evaluate<uint32_t>("shr.u32 %r1, %r0, 2; match.any.sync.b32 %r63, %r1, -1;")[9], 0xf00u);
  EXPECT_EQ(Evaluate<uint32_t>("redux.sync.add.s32 %r63, %r0, -1;")[9], 496u);
  EXPECT_EQ(Evaluate<uint32_t>("redux.sync.max.u32 %r63, %r0, -1;")[9], 31u);
  EXPECT_EQ(Evaluate<uint32_t>("setp.lt.u32 %p0, %r0, 4; mov.u32 %r63, 0; @%p0 activemask.b32 %r63;")[2], 0xfu);
}

TEST_F(InstructionsTest, ShuffleInDivergedCodeWaitsForItsMembers) {
  // Lanes reach the same shuffle by two ways; all of them must take part.
  const std::vector<uint32_t> values = Evaluate<uint32_t>(
      "setp.lt.u32 %p0, %r0, 16; @%p0 bra A; add.u32 %r1, %r0, 100; bra B; A: add.u32 %r1, %r0, 200; B: "
      "shfl.sync.bfly.b32 %r63, %r1, 16, 31, -1;");
  EXPECT_EQ(values[0], 116u);
  EXPECT_EQ(values[16], 200u);
}

TEST_F(InstructionsTest, AtomicsReturnTheOldValue) {
  const uint64_t word = Upload(std::vector<uint32_t>{10, 0});
  const uint64_t out = Output<uint32_t>(32);
  RunWarp(
      "atom.global.add.u32 %r1, [%rd0], 2; mul.wide.u32 %rd4, %r0, 4; add.s64 %rd5, %rd1, %rd4; st.global.u32 [%rd5], "
      "%r1;",
      word, out);
  EXPECT_EQ(Download<uint32_t>(word, 1)[0], 74u);
  EXPECT_EQ(Download<uint32_t>(out, 32)[31], 72u);
}

TEST_F(InstructionsTest, AtomicKinds) {
  const auto run = [this](const std::string& instruction, uint64_t initial) {
    const uint64_t word = Upload(std::vector<uint64_t>{initial});
    RunWarp("cvt.u64.u32 %rd5, %r0; cvt.rn.f32.u32 %f1, %r0; cvt.rn.f64.u32 %fd1, %r0; " + instruction, word);
    return Download<uint64_t>(word, 1)[0];
  };
  EXPECT_EQ(run("atom.global.min.u32 %r1, [%rd0], %r0;", 7), 0u);
  EXPECT_EQ(run("atom.global.max.s64 %rd6, [%rd0], %rd5;", 7), 31u);
  EXPECT_EQ(run("red.global.or.b32 [%rd0], %r0;", 0x100), 0x11fu);
  EXPECT_EQ(run("red.global.xor.b32 [%rd0], %r0;", 0), 0u);
  EXPECT_EQ(run("red.global.inc.u32 [%rd0], 9;", 0), 2u);
  EXPECT_EQ(run("red.global.dec.u32 [%rd0], 9;", 0), 8u);
  EXPECT_EQ(run("atom.global.cas.b32 %r1, [%rd0], 0, 5;", 0), 5u);
  EXPECT_EQ(run("atom.global.exch.b64 %rd6, [%rd0], %rd5;", 0), 31u);
  EXPECT_EQ(std::bit_cast<float>(static_cast<uint32_t>(run("red.global.add.f32 [%rd0], %f1;", 0))), 496.0f);
  EXPECT_EQ(std::bit_cast<double>(run("atom.global.add.f64 %fd2, [%rd0], %fd1;", 0)), 496.0);
  EXPECT_EQ(run("mov.u32 %r1, 0x3c003c00; red.global.add.noftz.f16x2 [%rd0], %r1;", 0), 0x50005000u);
}

TEST_F(InstructionsTest, VectorAndNarrowAccesses) {
  const uint64_t in = Upload(std::vector<uint8_t>{1, 0xfe, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16});
  const uint64_t out = Output<uint32_t>(8);
  const LaunchResult result = RunWarp(
      "ld.global.s8 %r1, [%rd0+1]; st.global.u32 [%rd1], %r1; ld.global.u16 %rs1, [%rd0+2]; cvt.u32.u16 %r2, %rs1; "
      "st.global.u32 [%rd1+4], %r2;"
      "ld.global.v4.u8 {%rs2, %rs3, %rs4, %rs5}, [%rd0+4]; cvt.u32.u16 %r3, %rs5; st.global.u32 [%rd1+8], %r3;"
      "ld.global.v2.u32 {%r4, %r5}, [%rd0+8]; st.global.v2.u32 [%rd1+16], {%r5, %r4};",
      in, out);
  ASSERT_EQ(result.status, Status::kOk) << result.detail;
  const std::vector<uint32_t> words = Download<uint32_t>(out, 8);
  EXPECT_EQ(words[0], 0xfffffffeu);
  EXPECT_EQ(words[1], 0x0403u);
  EXPECT_EQ(words[2], 8u);
  EXPECT_EQ(words[4], 0x100f0e0du);
  EXPECT_EQ(words[5], 0x0c0b0a09u);
}

TEST_F(InstructionsTest, GenericAddressesReachEverySpace) {
  const std::vector<uint32_t> values = Evaluate<uint32_t>(
      ".local .align 8 .b8 stack[16]; mov.u64 %rd4, stack; cvta.local.u64 %rd5, %rd4; st.u32 [%rd5+4], %r0; "
      "ld.local.u32 %r1, [%rd4+4];"
      "mov.u32 %r2, s; cvta.shared.u64 %rd6, s; mul.wide.u32 %rd7, %r0, 4; add.s64 %rd8, %rd6, %rd7; st.u32 [%rd8], "
      "%r1; ld.u32 %r3, [%rd8];"
      "isspacep.shared %p0, %rd8; selp.u32 %r4, 1000, 0, %p0; isspacep.global %p1, %rd8; selp.u32 %r5, 500, 0, %p1; "
      "add.u32 %r6, %r3, %r4; add.u32 %r63, %r6, %r5;",
      ".shared .align 4 .b8 s[128];\n");
  EXPECT_EQ(values[7], 1007u);
}

TEST_F(InstructionsTest, ConstantsAndInitialisedVariables) {
  const std::vector<uint32_t> values = Evaluate<uint32_t>(
      "ld.const.u32 %r1, [c+4]; ld.global.u64 %rd5, [p]; ld.global.u32 %r2, [%rd5]; add.u32 %r63, %r1, %r2;",
      ".const .align 4 .u32 c[3] = {10, 20, 30};\n.global .align 4 .u32 g = 7;\n.global .align 8 .u64 p = g;\n");
  EXPECT_EQ(values[0], 27u);
}

TEST_F(InstructionsTest, FunctionsAreCalledWithParameters) {
  const std::string function =
      ".func (.param .b32 result) twice(.param .b32 x)\n{ .reg .b32 %r<4>; .reg .pred %p<2>; ld.param.u32 %r1, [x]; "
      "setp.lt.u32 %p1, %r1, 8;\n"
      "@%p1 bra SMALL; st.param.b32 [result+0], %r1; ret; SMALL: add.u32 %r2, %r1, %r1; st.param.b32 [result+0], %r2; "
      "ret; }\n";
  const std::vector<uint32_t> values = Evaluate<uint32_t>(
      "{ .param .b32 p0; st.param.b32 [p0+0], %r0; .param .b32 q; call.uni (q), twice, (p0); ld.param.b32 %r1, [q+0]; "
      "}\n"
      "{ .param .b32 p0; st.param.b32 [p0+0], %r1; .param .b32 q; call.uni (q), twice, (p0); ld.param.b32 %r63, [q+0]; "
      "}\n",
      function);
  EXPECT_EQ(values[3], 12u);
  EXPECT_EQ(values[5], 10u);
  EXPECT_EQ(values[9], 9u);
}

TEST_F(InstructionsTest, IndexedBranchesGoToTheirTargets) {
  const std::vector<uint32_t> values = Evaluate<uint32_t>(
      "and.b32 %r1, %r0, 3; T: .branchtargets A, B, C; brx.idx %r1, T; mov.u32 %r63, 40; bra E; A: mov.u32 %r63, 10; "
      "bra E; B: mov.u32 %r63, 20; bra E;"
      "C: mov.u32 %r63, 30; E: add.u32 %r63, %r63, 1;");
  EXPECT_EQ(values[0], 11u);
  EXPECT_EQ(values[5], 21u);
  EXPECT_EQ(values[6], 31u);
}

TEST_F(InstructionsTest, TensorCoreProductOfOnesIsItsDepth) {
  const std::string ones = "mov.u32 %r1, 0x3c003c00; mov.f32 %f1, 0f40000000; ";
  const std::vector<float> values = Evaluate<float>(ones +
                                                    "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f2, %f3, %f4, "
                                                    "%f63}, {%r1, %r1, %r1, %r1}, {%r1, %r1}, {%f1, %f1, %f1, %f1};");
  for (const float value : values) EXPECT_EQ(value, 18.0f);
}

TEST_F(InstructionsTest, LdmatrixHandsRowsToLanes) {
  // Element e of the matrix is e; lane l gets elements 2l and 2l + 1.
  const std::vector<uint32_t> values = Evaluate<uint32_t>(
      "mov.u32 %r1, s; shl.b32 %r2, %r0, 2; add.u32 %r3, %r1, %r2; shl.b32 %r4, %r0, 1; add.u32 %r5, %r4, 1; shl.b32 "
      "%r6, %r5, 16; or.b32 %r7, %r6, %r4;"
      "st.shared.u32 [%r3], %r7; bar.sync 0; and.b32 %r8, %r0, 7; shl.b32 %r9, %r8, 4; add.u32 %r10, %r1, %r9;"
      "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r63}, [%r10];",
      ".shared .align 16 .b8 s[128];\n");
  EXPECT_EQ(values[9], 18u | 19u << 16);
}

TEST_F(InstructionsTest, AsynchronousCopiesFillUpWithZeros) {
  const uint64_t in = Upload(std::vector<uint32_t>(128, 7));
  const uint64_t out = Output<uint32_t>(32);
  Load(
      Kernel("mul.wide.u32 %rd4, %r0, 16; add.s64 %rd5, %rd0, %rd4; shl.b32 %r1, %r0, 4; mov.u32 %r2, s; add.u32 %r3, "
             "%r2, %r1; mov.u32 %r4, 8;"
             "cp.async.ca.shared.global [%r3], [%rd5], 16, %r4; cp.async.commit_group; cp.async.wait_group 0; "
             "ld.shared.u32 %r5, [%r3+4]; ld.shared.u32 %r6, [%r3+8];"
             "shl.b32 %r7, %r6, 8; or.b32 %r8, %r7, %r5; mul.wide.u32 %rd6, %r0, 4; add.s64 %rd7, %rd1, %rd6; "
             "st.global.u32 [%rd7], %r8;",
             ".shared .align 16 .b8 s[512];\n"));
  const LaunchResult result = Launch("k", {1, 1, 1}, {32, 1, 1}, in, out, uint64_t{0}, uint64_t{0});
  ASSERT_EQ(result.status, Status::kOk) << result.detail;
  EXPECT_EQ(Download<uint32_t>(out, 32)[17], 7u);
  EXPECT_EQ(result.execution.counters().global_load_request_count(), 1);
  EXPECT_EQ(result.execution.counters().shared_store_request_count(), 1);
}

TEST_F(InstructionsTest, UnsupportedInstructionsAreNamedWhenReached) {
  const std::string body =
      "setp.eq.u64 %p0, %rd0, 0; @%p0 bra E; tex.2d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [%rd1, {%f0, %f1}]; E: mov.u32 "
      "%r1, 0;";
  EXPECT_EQ(RunWarp(body, 0).status, Status::kOk);
  const LaunchResult reached = RunWarp(body, 1);
  EXPECT_EQ(reached.status, Status::kUnsupported);
  EXPECT_EQ(reached.detail, "unsupported: tex.2d.v4.f32.f32");
}

// Two halves of a warp that name different members are groups of their own.
TEST_F(InstructionsTest, MembersAreCountedByTheirMask) {
  const std::string masks = "setp.lt.u32 %p1, %r0, 16; selp.b32 %r1, 0xffff, 0xffff0000, %p1;";
  const std::vector<uint32_t> sums = Evaluate<uint32_t>(masks + "redux.sync.add.u32 %r63, %r0, %r1;");
  EXPECT_EQ(sums[3], 120u);
  EXPECT_EQ(sums[20], 376u);
  const std::vector<uint32_t> votes =
      Evaluate<uint32_t>(masks + "and.b32 %r2, %r0, 1; setp.eq.u32 %p2, %r2, 0; vote.sync.ballot.b32 %r63, %p2, %r1;");
  EXPECT_EQ(votes[3], 0x5555u);
  EXPECT_EQ(votes[20], 0x55550000u);
}

TEST_F(InstructionsTest, TensorMultipliesOfIntegersAndDoubles) {
  // All ones times all twos, plus the lane: k products of 2.
  EXPECT_EQ(
      U32("mov.u32 %r1, 0x01010101; mov.u32 %r2, 0x02020202;"
          "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%r63, %r4, %r5, %r6}, {%r1, %r1, %r1, %r1}, {%r2, %r2}, "
          "{%r0, %r0, %r0, %r0};"),
      69u);
  EXPECT_EQ(U32("mov.u32 %r1, 0xffffffff; mov.u32 %r2, 0x02020202;"
                "mma.sync.aligned.m16n8k16.row.col.s32.s8.u8.s32 {%r63, %r4, %r5, %r6}, {%r1, %r1}, {%r2}, {%r0, %r0, "
                "%r0, %r0};"),
            static_cast<uint32_t>(-27));
  EXPECT_EQ(F64("mov.f64 %fd1, 0d3FF8000000000000; cvt.rn.f64.u32 %fd2, %r0;"
                "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%fd31, %fd4}, {%fd1}, {%fd1}, {%fd2, %fd2};"),
            14.0);
}

// The array's rows: n calls deep, each adds its own n.
TEST_F(InstructionsTest, RecursiveFunctionsKeepTheirRegisters) {
  const std::string function =
      ".func (.param .b32 f_r) f(.param .b32 f_0)\n{\n.reg .pred %q; .reg .b32 %a<4>;\n"
      "ld.param.u32 %a0, [f_0]; mov.u32 %a2, 0; setp.eq.u32 %q, %a0, 0; @%q bra DONE; sub.u32 %a1, %a0, 1;\n"
      "{ .param .b32 x; st.param.b32 [x], %a1; .param .b32 y; call.uni (y), f, (x); ld.param.b32 %a2, [y]; }\n"
      "DONE: add.u32 %a3, %a2, %a0; st.param.b32 [f_r], %a3; ret;\n}\n";
  const std::string call =
      "{ .param .b32 x; st.param.b32 [x], %r0; .param .b32 y; call.uni (y), f, (x); ld.param.b32 %r63, [y]; }";
  const std::vector<uint32_t> sums = Evaluate<uint32_t>(call, function);
  for (uint32_t lane = 0; lane < 32; ++lane) EXPECT_EQ(sums[lane], lane * (lane + 1) / 2);
}

TEST_F(InstructionsTest, CallThroughAWildPointerIsAFault) {
  const LaunchResult result = RunWarp(
      "{ .param .b32 x; st.param.b32 [x], %r0; proto: .callprototype _ (.param .b32 _); call %rd0, (x), proto; }",
      1234);
  // No function's address is taken: nothing that it may mean is known.
  EXPECT_EQ(result.status, Status::kUnsupported);
  Load(
      Kernel("mov.u64 %rd5, f; { .param .b32 x; st.param.b32 [x], %r0; proto: .callprototype _ (.param .b32 _); call "
             "%rd0, (x), "
             "proto; }",
             ".func f(.param .b32 f_0)\n{\nret;\n}\n"));
  const LaunchResult wild = Launch("k", {1, 1, 1}, {32, 1, 1}, uint64_t{1234}, uint64_t{0}, uint64_t{0}, uint64_t{0});
  EXPECT_EQ(wild.status, Status::kFault);
  EXPECT_THAT(wild.detail, ::testing::HasSubstr("0x4d2"));
}

}  // namespace
}  // namespace cudaperf::emulator
