// Thread-instructions per second of processor time of the emulated device with all counters on, one host thread. Prints a table.
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/device.h"

namespace cudaperf::emulator {
namespace {

// What nvcc makes of the usual first kernels, written down so that the benchmark needs no compiler.
constexpr std::string_view kPtx = R"(
.version 9.0
.target sm_90
.address_size 64
.visible .entry saxpy(.param .u32 p_n, .param .f32 p_a, .param .u64 p_x, .param .u64 p_y)
{
  .reg .pred %p<2>; .reg .f32 %f<5>; .reg .b32 %r<6>; .reg .b64 %rd<8>;
  ld.param.u32 %r2, [p_n];
  ld.param.f32 %f1, [p_a];
  ld.param.u64 %rd1, [p_x];
  ld.param.u64 %rd2, [p_y];
  mov.u32 %r3, %ctaid.x;
  mov.u32 %r4, %ntid.x;
  mov.u32 %r5, %tid.x;
  mad.lo.s32 %r1, %r3, %r4, %r5;
  setp.ge.s32 %p1, %r1, %r2;
  @%p1 bra DONE;
  cvta.to.global.u64 %rd3, %rd1;
  mul.wide.s32 %rd4, %r1, 4;
  add.s64 %rd5, %rd3, %rd4;
  ld.global.f32 %f2, [%rd5];
  cvta.to.global.u64 %rd6, %rd2;
  add.s64 %rd7, %rd6, %rd4;
  ld.global.f32 %f3, [%rd7];
  fma.rn.f32 %f4, %f2, %f1, %f3;
  st.global.f32 [%rd7], %f4;
DONE:
  ret;
}
.visible .entry matmul(.param .u32 p_n, .param .u64 p_a, .param .u64 p_b, .param .u64 p_c)
{
  .shared .align 4 .b8 ta[1024];
  .shared .align 4 .b8 tb[1024];
  .reg .pred %p<3>; .reg .f32 %f<8>; .reg .b32 %r<32>; .reg .b64 %rd<16>;
  ld.param.u32 %r1, [p_n];
  ld.param.u64 %rd1, [p_a];
  ld.param.u64 %rd2, [p_b];
  ld.param.u64 %rd3, [p_c];
  mov.u32 %r2, %tid.x;
  mov.u32 %r3, %tid.y;
  mov.u32 %r4, %ctaid.x;
  mov.u32 %r5, %ctaid.y;
  shl.b32 %r6, %r5, 4;
  add.s32 %r6, %r6, %r3;
  shl.b32 %r7, %r4, 4;
  add.s32 %r7, %r7, %r2;
  mov.u32 %r8, ta;
  mov.u32 %r9, tb;
  shl.b32 %r10, %r3, 6;
  add.s32 %r11, %r8, %r10;
  shl.b32 %r12, %r2, 2;
  add.s32 %r13, %r11, %r12;
  add.s32 %r14, %r9, %r12;
  add.s32 %r15, %r14, %r10;
  mov.f32 %f1, 0f00000000;
  mov.u32 %r16, 0;
TILE:
  add.s32 %r17, %r16, %r2;
  mad.lo.s32 %r18, %r6, %r1, %r17;
  mul.wide.s32 %rd4, %r18, 4;
  add.s64 %rd5, %rd1, %rd4;
  ld.global.f32 %f2, [%rd5];
  st.shared.f32 [%r13], %f2;
  add.s32 %r19, %r16, %r3;
  mad.lo.s32 %r20, %r19, %r1, %r7;
  mul.wide.s32 %rd6, %r20, 4;
  add.s64 %rd7, %rd2, %rd6;
  ld.global.f32 %f3, [%rd7];
  st.shared.f32 [%r15], %f3;
  bar.sync 0;
  mov.u32 %r21, %r11;
  mov.u32 %r22, %r14;
  mov.u32 %r23, 0;
INNER:
  ld.shared.f32 %f4, [%r21];
  ld.shared.f32 %f5, [%r22];
  fma.rn.f32 %f1, %f4, %f5, %f1;
  ld.shared.f32 %f4, [%r21+4];
  ld.shared.f32 %f5, [%r22+64];
  fma.rn.f32 %f1, %f4, %f5, %f1;
  ld.shared.f32 %f4, [%r21+8];
  ld.shared.f32 %f5, [%r22+128];
  fma.rn.f32 %f1, %f4, %f5, %f1;
  ld.shared.f32 %f4, [%r21+12];
  ld.shared.f32 %f5, [%r22+192];
  fma.rn.f32 %f1, %f4, %f5, %f1;
  add.s32 %r21, %r21, 16;
  add.s32 %r22, %r22, 256;
  add.s32 %r23, %r23, 4;
  setp.lt.u32 %p1, %r23, 16;
  @%p1 bra INNER;
  bar.sync 0;
  add.s32 %r16, %r16, 16;
  setp.lt.s32 %p2, %r16, %r1;
  @%p2 bra TILE;
  mad.lo.s32 %r24, %r6, %r1, %r7;
  mul.wide.s32 %rd8, %r24, 4;
  add.s64 %rd9, %rd3, %rd8;
  st.global.f32 [%rd9], %f1;
  ret;
}
.visible .entry stencil(.param .u32 p_n, .param .u64 p_x, .param .u64 p_y)
{
  .reg .pred %p<6>; .reg .f32 %f<12>; .reg .b32 %r<16>; .reg .b64 %rd<12>;
  ld.param.u32 %r1, [p_n];
  ld.param.u64 %rd1, [p_x];
  ld.param.u64 %rd2, [p_y];
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mov.u32 %r4, %tid.x;
  mad.lo.s32 %r5, %r2, %r3, %r4;
  mov.u32 %r6, %ctaid.y;
  mov.u32 %r7, %ntid.y;
  mov.u32 %r8, %tid.y;
  mad.lo.s32 %r9, %r6, %r7, %r8;
  add.s32 %r10, %r1, -1;
  setp.lt.s32 %p1, %r5, 1;
  setp.ge.s32 %p2, %r5, %r10;
  or.pred %p3, %p1, %p2;
  setp.lt.s32 %p4, %r9, 1;
  or.pred %p3, %p3, %p4;
  setp.ge.s32 %p5, %r9, %r10;
  or.pred %p3, %p3, %p5;
  @%p3 bra DONE;
  mad.lo.s32 %r11, %r9, %r1, %r5;
  mul.wide.s32 %rd3, %r11, 4;
  add.s64 %rd4, %rd1, %rd3;
  mul.wide.s32 %rd5, %r1, 4;
  sub.s64 %rd6, %rd4, %rd5;
  add.s64 %rd7, %rd4, %rd5;
  ld.global.f32 %f1, [%rd4];
  ld.global.f32 %f2, [%rd4+-4];
  ld.global.f32 %f3, [%rd4+4];
  ld.global.f32 %f4, [%rd6];
  ld.global.f32 %f5, [%rd7];
  add.f32 %f6, %f2, %f3;
  add.f32 %f7, %f6, %f4;
  add.f32 %f8, %f7, %f5;
  mul.f32 %f9, %f1, 0fC0800000;
  add.f32 %f10, %f8, %f9;
  add.s64 %rd8, %rd2, %rd3;
  st.global.f32 [%rd8], %f10;
DONE:
  ret;
}
.visible .entry reduce(.param .u32 p_n, .param .u64 p_x, .param .u64 p_out)
{
  .shared .align 4 .b8 s[128];
  .reg .pred %p<8>; .reg .f32 %f<16>; .reg .b32 %r<32>; .reg .b64 %rd<8>;
  ld.param.u32 %r1, [p_n];
  ld.param.u64 %rd1, [p_x];
  ld.param.u64 %rd2, [p_out];
  mov.u32 %r2, %tid.x;
  mov.u32 %r3, %ctaid.x;
  mov.u32 %r4, %ntid.x;
  mad.lo.s32 %r5, %r3, %r4, %r2;
  mov.u32 %r6, %nctaid.x;
  mul.lo.s32 %r7, %r6, %r4;
  mov.f32 %f1, 0f00000000;
  setp.ge.s32 %p1, %r5, %r1;
  @%p1 bra SUMMED;
LOOP:
  mul.wide.s32 %rd3, %r5, 4;
  add.s64 %rd4, %rd1, %rd3;
  ld.global.f32 %f2, [%rd4];
  add.f32 %f1, %f1, %f2;
  add.s32 %r5, %r5, %r7;
  setp.lt.s32 %p2, %r5, %r1;
  @%p2 bra LOOP;
SUMMED:
  mov.b32 %r10, %f1;
  shfl.sync.down.b32 %r11, %r10, 16, 31, -1;
  mov.b32 %f3, %r11;
  add.f32 %f1, %f1, %f3;
  mov.b32 %r10, %f1;
  shfl.sync.down.b32 %r11, %r10, 8, 31, -1;
  mov.b32 %f3, %r11;
  add.f32 %f1, %f1, %f3;
  mov.b32 %r10, %f1;
  shfl.sync.down.b32 %r11, %r10, 4, 31, -1;
  mov.b32 %f3, %r11;
  add.f32 %f1, %f1, %f3;
  mov.b32 %r10, %f1;
  shfl.sync.down.b32 %r11, %r10, 2, 31, -1;
  mov.b32 %f3, %r11;
  add.f32 %f1, %f1, %f3;
  mov.b32 %r10, %f1;
  shfl.sync.down.b32 %r11, %r10, 1, 31, -1;
  mov.b32 %f3, %r11;
  add.f32 %f1, %f1, %f3;
  and.b32 %r12, %r2, 31;
  shr.u32 %r13, %r2, 5;
  mov.u32 %r14, s;
  shl.b32 %r15, %r13, 2;
  add.s32 %r16, %r14, %r15;
  setp.ne.s32 %p3, %r12, 0;
  @%p3 bra STORED;
  st.shared.f32 [%r16], %f1;
STORED:
  bar.sync 0;
  setp.ne.s32 %p4, %r12, 0;
  @%p4 bra DONE;
  ld.shared.f32 %f4, [%r16];
  red.global.add.f32 [%rd2], %f4;
DONE:
  ret;
}
)";

struct Workload {
  std::string name;
  Device::Dimensions grid;
  Device::Dimensions block;
  std::string parameters;
};

template <typename... Values>
std::string Pack(Values... values) {
  std::string block;
  const auto add = [&block](const auto& value) {
    block.resize((block.size() + sizeof(value) - 1) / sizeof(value) * sizeof(value), '\0');
    block.append(reinterpret_cast<const char*>(&value), sizeof(value));
  };
  (add(values), ...);
  return block;
}

struct Measurement {
  double seconds = 0;
  double thread_instructions = 0;
};

// The fastest of several runs.
Measurement Measure(Device& device, const std::shared_ptr<const Module>& module, const Workload& work, const LaunchOptions& options) {
  Measurement best;
  for (int run = 0; run < 5; ++run) {
    const std::clock_t start = std::clock();
    const absl::StatusOr<LaunchResult> result = device.Launch(module, work.name, work.grid, work.block, 0, work.parameters, options);
    const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    if (!result.ok() || result->status != LaunchResult::Status::kOk) {
      std::fprintf(stderr, "%s: %s\n", work.name.c_str(), result.ok() ? result->detail.c_str() : result.status().ToString().c_str());
      return best;
    }
    if (run == 0 || seconds < best.seconds) {
      best = Measurement{seconds, static_cast<double>(result->execution.counters().thread_instruction_count())};
    }
  }
  return best;
}

int Main() {
  const absl::StatusOr<std::shared_ptr<const Module>> module = Module::Parse(kPtx);
  if (!module.ok()) {
    std::fprintf(stderr, "%s\n", module.status().ToString().c_str());
    return 1;
  }
  constexpr int64_t kElements = 1 << 20;
  constexpr int32_t kSide = 256, kField = 1024;
  DeviceMemory memory(int64_t{1} << 30);
  std::vector<float> host(kElements, 0.5f);
  const auto attach = [&](const char* name) {
    const uint64_t address = memory.Allocate(kElements * 4, DeviceMemory::Content::kInitialized, name).value();
    if (!memory.CopyIn(address, host.data(), kElements * 4).ok()) std::abort();
    return address;
  };
  const uint64_t x = attach("x"), y = attach("y"), z = attach("z");
  const auto count = static_cast<int32_t>(kElements);
  const std::vector<Workload> workloads = {
      {"saxpy", {kElements / 256, 1, 1}, {256, 1, 1}, Pack(count, 2.0f, x, y)},
      {"matmul", {kSide / 16, kSide / 16, 1}, {16, 16, 1}, Pack(kSide, x, y, z)},
      {"stencil", {kField / 32, kField / 8, 1}, {32, 8, 1}, Pack(kField, x, z)},
      {"reduce", {264, 1, 1}, {256, 1, 1}, Pack(count, x, z)},
  };
  Device device(&memory);
  std::printf("%-10s %14s %12s %16s %16s %8s\n", "kernel", "thread instr", "ms", "M/s, counters", "M/s, checkers", "ratio");
  for (const Workload& work : workloads) {
    LaunchOptions options;
    const Measurement counted = Measure(device, *module, work, options);
    options.checkers = true;
    const Measurement checked = Measure(device, *module, work, options);
    if (counted.seconds == 0 || checked.seconds == 0) return 1;
    const double fast = counted.thread_instructions / counted.seconds / 1e6, slow = checked.thread_instructions / checked.seconds / 1e6;
    std::printf("%-10s %14.0f %12.2f %16.0f %16.0f %8.2f\n", work.name.c_str(), counted.thread_instructions, counted.seconds * 1e3, fast, slow, slow / fast);
  }
  return 0;
}

}  // namespace
}  // namespace cudaperf::emulator

int main() { return cudaperf::emulator::Main(); }
