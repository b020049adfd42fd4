// Parsing, and the memory that modules and buffers live in.
#include "emulator/module.h"

#include <string>

#include "emulator/device.h"
#include "emulator/device_memory.h"
#include "gtest/gtest.h"

namespace cudaperf::emulator {
namespace {

std::string WithHeader(std::string_view rest) {
  return ".version 9.0\n.target sm_90\n.address_size 64\n" + std::string(rest);
}

TEST(ModuleTest, KernelParametersAreLaidOutByAlignment) {
  const auto module =
      Module::Parse(WithHeader(".visible .entry f(.param .u8 a, .param .f64 b, .param .align 4 .b8 c[20], .param .u64 "
                               ".ptr .global .align 1 d) .maxntid 128, 1, 1 { ret; }"));
  ASSERT_TRUE(module.ok()) << module.status();
  const Kernel* kernel = (*module)->FindKernel("f");
  ASSERT_NE(kernel, nullptr);
  ASSERT_EQ(kernel->parameters.size(), 4u);
  EXPECT_EQ(kernel->parameters[1].offset_bytes, 8);
  EXPECT_EQ(kernel->parameters[2].offset_bytes, 16);
  EXPECT_EQ(kernel->parameters[2].size_bytes, 20);
  EXPECT_EQ(kernel->parameters[3].offset_bytes, 40);
  EXPECT_EQ(kernel->parameters[3].type, "u64");
  EXPECT_EQ(kernel->parameter_block_bytes, 48);
  EXPECT_EQ(kernel->most_threads, 128);
}

TEST(ModuleTest, SharedVariablesOfCalledFunctionsCount) {
  const auto module = Module::Parse(WithHeader(
      ".shared .align 4 .b8 unused[4096];\n.func g() { .shared .align 8 .b8 t[24]; .reg .b32 %r<2>; mov.u32 %r1, t; "
      "ret; }\n"
      ".visible .entry f() { .shared .align 4 .b8 s[4]; .reg .b32 %r<2>; mov.u32 %r1, s; call.uni g; ret; }"));
  ASSERT_TRUE(module.ok()) << module.status();
  EXPECT_GE((*module)->FindKernel("f")->static_shared_bytes, 28);
  EXPECT_LE((*module)->FindKernel("f")->static_shared_bytes, 32);
}

TEST(ModuleTest, GarbageIsRefusedWithItsLine) {
  for (const char* text : {"", "hello", ".version 9.0\n.entry", ".version 9.0\n.entry f(",
                           ".version 9.0\n.entry f() { add.s32 ", ".version 9.0\n.global .b8 a[99999999999999999];"}) {
    EXPECT_EQ(Module::Parse(text).status().code(), absl::StatusCode::kInvalidArgument) << text;
  }
  EXPECT_NE(Module::Parse(WithHeader("\n\n?")).status().message().find("PTX line 6"), std::string::npos);
}

TEST(ModuleTest, HostileNestingAndCountsAreBounded) {
  EXPECT_FALSE(Module::Parse(WithHeader(".entry f() { " + std::string(100000, '{'))).ok());
  EXPECT_FALSE(Module::Parse(WithHeader(".entry f() { mov.b32 " + std::string(100000, '{'))).ok());
  EXPECT_FALSE(Module::Parse(WithHeader(".entry f() { .reg .b32 %r<2000000000>; ret; }")).ok());
  EXPECT_FALSE(Module::Parse(WithHeader(".const .align 4 .b8 a[2000000000];")).ok());
  // Global memory is bounded by the device it is loaded to.
  const auto large = Module::Parse(WithHeader(".global .align 4 .b8 a[2000000000];"));
  ASSERT_TRUE(large.ok()) << large.status();
  DeviceMemory memory(int64_t{1} << 30);
  EXPECT_EQ(Device(&memory).Load(*large).code(), absl::StatusCode::kResourceExhausted);
}

TEST(ModuleTest, ExponentialInliningIsBounded) {
  std::string text = ".func f0() { .reg .b32 %r<2>; mov.u32 %r1, 1; ret; }\n";
  for (int level = 1; level < 25; ++level) {
    const std::string callee = "f" + std::to_string(level - 1);
    text += ".func f" + std::to_string(level) + "() { call.uni " + callee + "; call.uni " + callee + "; ret; }\n";
  }
  text += ".visible .entry k() { call.uni f24; ret; }\n";
  EXPECT_EQ(Module::Parse(WithHeader(text)).status().code(), absl::StatusCode::kResourceExhausted);
}

TEST(DeviceMemoryTest, LimitCountsAndFreeGivesBack) {
  DeviceMemory memory(1000);
  const auto first = memory.Allocate(600);
  ASSERT_TRUE(first.ok());
  EXPECT_EQ(memory.Allocate(600).status().code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(memory.Free(*first + 4).code(), absl::StatusCode::kNotFound);
  EXPECT_TRUE(memory.Free(*first).ok());
  EXPECT_TRUE(memory.Allocate(600).ok());
  EXPECT_EQ(memory.Find(*first), nullptr);
  EXPECT_EQ(memory.Allocate(0).status().code(), absl::StatusCode::kInvalidArgument);
}

TEST(DeviceMemoryTest, CopiesAreBounded) {
  DeviceMemory memory(1 << 20);
  const uint64_t at = memory.Allocate(16).value();
  char bytes[32] = "0123456789abcdef";
  EXPECT_TRUE(memory.CopyIn(at, bytes, 16).ok());
  EXPECT_EQ(memory.CopyIn(at + 1, bytes, 16).code(), absl::StatusCode::kOutOfRange);
  EXPECT_EQ(memory.CopyIn(at, bytes, -1).code(), absl::StatusCode::kOutOfRange);
  EXPECT_EQ(memory.CopyOut(0, bytes, 1).code(), absl::StatusCode::kOutOfRange);
  EXPECT_TRUE(memory.CopyWithin(at + 8, at, 8).ok());
  EXPECT_TRUE(memory.CopyOut(at, bytes, 16).ok());
  EXPECT_EQ(std::string(bytes, 16), "0123456701234567");
  EXPECT_TRUE(memory.Fill(at, 4, 'x').ok());
  EXPECT_TRUE(memory.CopyOut(at, bytes, 16).ok());
  EXPECT_EQ(std::string(bytes, 16), "xxxx456701234567");
}

TEST(DeviceMemoryTest, UninitialisedMemoryIsPoisoned) {
  DeviceMemory memory(1 << 20);
  const uint64_t at = memory.Allocate(4).value();
  uint32_t word = 0;
  EXPECT_TRUE(memory.CopyOut(at, &word, 4).ok());
  EXPECT_EQ(word, 0xffffffffu);
}

}  // namespace
}  // namespace cudaperf::emulator
