#include "sandbox/device/device_server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/sandbox/device/sealed_memory.h"

namespace cudaperf::sandbox {
namespace {

using reward::v1::Finding;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using worker::v1::CollectResponse;
using worker::v1::CopyRequest;
using worker::v1::DeviceRequest;
using worker::v1::DeviceResponse;
using worker::v1::LaunchResponse;

constexpr auto kControl = DeviceServer::Channel::kControl;
constexpr auto kCommand = DeviceServer::Channel::kCommand;

// add(int* data, int addend): data[tid] += addend, one block. `stray` writes far behind its pointer. `huge` never ends.
constexpr char kPtx[] = R"(
.version 9.0
.target sm_90
.address_size 64
.global .align 4 .u32 counter = 7;
.visible .entry add(.param .u64 data, .param .u32 addend)
{
  .reg .b32 %r<5>;
  .reg .b64 %rd<5>;
  ld.param.u64 %rd1, [data];
  ld.param.u32 %r1, [addend];
  cvta.to.global.u64 %rd2, %rd1;
  mov.u32 %r2, %tid.x;
  mul.wide.u32 %rd3, %r2, 4;
  add.s64 %rd4, %rd2, %rd3;
  ld.global.u32 %r3, [%rd4];
  add.s32 %r4, %r3, %r1;
  st.global.u32 [%rd4], %r4;
  ret;
}
.visible .entry stray(.param .u64 data)
{
  .reg .b32 %r<2>;
  .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [data];
  cvta.to.global.u64 %rd2, %rd1;
  mov.u32 %r1, 1;
  st.global.u32 [%rd2+4096], %r1;
  ret;
}
.visible .entry huge()
{
  .reg .b32 %r<2>;
  mov.u32 %r1, 0;
$again:
  add.s32 %r1, %r1, 1;
  bra.uni $again;
}
)";

class DeviceServerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    DeviceRequest request;
    request.mutable_configure()->set_instruction_budget(100000);
    request.mutable_configure()->set_memory_limit_bytes(1 << 20);
    request.mutable_configure()->set_checkers(true);
    request.mutable_configure()->set_thread_count(1);
    request.mutable_configure()->set_architecture(90);
    ASSERT_EQ(Handle(kControl, request).refusal(), "");
  }

  DeviceResponse Handle(DeviceServer::Channel channel, const DeviceRequest& request) {
    return server_.Handle(channel, request, {});
  }

  // The device address of shared memory, 0 when refused.
  template <typename Element>
  uint64_t Attach(const SealedMemory<Element>& memory, bool read_only, bool initialized) {
    DeviceRequest request;
    request.mutable_attach_buffer()->set_name("data");
    request.mutable_attach_buffer()->set_size_bytes(static_cast<int64_t>(memory.size_bytes()));
    request.mutable_attach_buffer()->set_read_only(read_only);
    request.mutable_attach_buffer()->set_initialized(initialized);
    request.mutable_attach_buffer()->set_element_size_bytes(sizeof(Element));
    std::vector<UniqueFd> descriptors;
    descriptors.push_back(memory.Duplicate());
    return server_.Handle(kControl, request, std::move(descriptors)).attach_buffer().address();
  }

  int32_t Load(DeviceServer::Channel channel) {
    DeviceRequest request;
    request.mutable_load_module()->set_ptx(kPtx);
    DeviceResponse response = Handle(channel, request);
    EXPECT_EQ(response.load_module().error(), "");
    return response.load_module().module();
  }

  static std::string Bytes(uint64_t value, size_t size) {
    return std::string(reinterpret_cast<const char*>(&value), size);
  }

  LaunchResponse Launch(int32_t module, const std::string& kernel, const std::vector<std::string>& arguments,
                        int64_t threads) {
    DeviceRequest request;
    request.mutable_launch()->set_module(module);
    request.mutable_launch()->set_kernel(kernel);
    request.mutable_launch()->add_grid(1);
    request.mutable_launch()->add_block(threads);
    for (const std::string& argument : arguments) request.mutable_launch()->add_arguments(argument);
    return Handle(kCommand, request).launch();
  }

  CollectResponse Collect(bool reset) {
    DeviceRequest request;
    request.mutable_collect()->set_reset(reset);
    return Handle(kControl, request).collect();
  }

  worker::v1::AllocateResponse Allocate(DeviceServer::Channel channel, int64_t size_bytes) {
    DeviceRequest request;
    request.mutable_allocate()->set_size_bytes(size_bytes);
    return Handle(channel, request).allocate();
  }

  worker::v1::DeviceError Free(DeviceServer::Channel channel, uint64_t address) {
    DeviceRequest request;
    request.mutable_free()->set_address(address);
    return Handle(channel, request).free().error();
  }

  worker::v1::CopyResponse Copy(CopyRequest::Kind kind, uint64_t destination, uint64_t source, int64_t size_bytes,
                                const std::string& content = "", bool continues = false) {
    DeviceRequest request;
    request.mutable_copy()->set_kind(kind);
    request.mutable_copy()->set_destination(destination);
    request.mutable_copy()->set_source(source);
    request.mutable_copy()->set_size_bytes(size_bytes);
    request.mutable_copy()->set_content(content);
    request.mutable_copy()->set_continues(continues);
    return Handle(kCommand, request).copy();
  }

  DeviceServer server_;
};

TEST_F(DeviceServerTest, LaunchWritesThroughToTheSharedMemory) {
  SealedMemory<int> memory({1, 2, 3, 4});
  const uint64_t address = Attach(memory, false, true);
  EXPECT_EQ(Launch(Load(kCommand), "add", {Bytes(address, 8), Bytes(10, 4)}, 4).error(), worker::v1::DEVICE_ERROR_NONE);
  EXPECT_THAT(memory.Content(), ElementsAre(11, 12, 13, 14));
  const CollectResponse collected = Collect(false);
  ASSERT_EQ(collected.executions_size(), 1);
  EXPECT_EQ(collected.executions(0).kernel(), "add");
  EXPECT_EQ(collected.executions(0).counters().global_load_request_count(), 1);
  EXPECT_EQ(collected.executions(0).counters().global_load_bytes(), 16);
  EXPECT_EQ(collected.first_error(), worker::v1::DEVICE_ERROR_NONE);
}

TEST_F(DeviceServerTest, SignaturesTellParameterSizes) {
  DeviceRequest request;
  request.mutable_load_module()->set_ptx(kPtx);
  const auto loaded = Handle(kCommand, request).load_module();
  ASSERT_EQ(loaded.signatures_size(), 3);
  EXPECT_EQ(loaded.signatures(0).name(), "add");
  EXPECT_THAT(loaded.signatures(0).parameter_bytes(), ElementsAre(8, 4));
}

TEST_F(DeviceServerTest, CommandChannelMayNotConfigureAttachOrCollect) {
  for (int number : {1, 2, 3, 4}) {
    DeviceRequest request;
    if (number == 1) request.mutable_configure()->set_instruction_budget(1);
    if (number == 2) request.mutable_attach_buffer();
    if (number == 3) request.mutable_collect()->set_reset(true);
    if (number == 4) request.mutable_detach_buffer();
    EXPECT_EQ(Handle(kCommand, request).refusal(), "not on the command channel") << number;
  }
}

TEST_F(DeviceServerTest, NothingWorksBeforeConfigure) {
  DeviceServer fresh;
  DeviceRequest request;
  request.mutable_allocate()->set_size_bytes(4);
  EXPECT_EQ(fresh.Handle(kCommand, request, {}).refusal(), "not configured yet");
}

TEST_F(DeviceServerTest, MemoryLimitChangesOnlyWhileNothingUsesIt) {
  DeviceRequest request;
  request.mutable_configure()->set_instruction_budget(1000);
  request.mutable_configure()->set_thread_count(1);
  request.mutable_configure()->set_memory_limit_bytes(100);
  EXPECT_EQ(Handle(kControl, request).refusal(), "");
  EXPECT_EQ(Allocate(kCommand, 100).error(), worker::v1::DEVICE_ERROR_NONE);
  request.mutable_configure()->set_memory_limit_bytes(200);
  EXPECT_THAT(Handle(kControl, request).refusal(), HasSubstr("in use"));
  request.mutable_configure()->set_memory_limit_bytes(0);
  EXPECT_THAT(Handle(kControl, request).refusal(), HasSubstr("above zero"));
}

TEST_F(DeviceServerTest, UnsealedOrShortMemoryIsRefused) {
  DeviceRequest request;
  request.mutable_attach_buffer()->set_size_bytes(4096);
  std::vector<UniqueFd> descriptors;
  descriptors.emplace_back(memfd_create("unsealed", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  ASSERT_EQ(ftruncate(descriptors[0].get(), 4096), 0);
  EXPECT_THAT(server_.Handle(kControl, request, std::move(descriptors)).refusal(), HasSubstr("sealed"));

  SealedMemory<int> tiny({1});
  std::vector<UniqueFd> short_memory;
  short_memory.push_back(tiny.Duplicate());
  EXPECT_THAT(server_.Handle(kControl, request, std::move(short_memory)).refusal(), HasSubstr("4 bytes"));
  EXPECT_THAT(Handle(kControl, request).refusal(), HasSubstr("one descriptor"));
}

TEST_F(DeviceServerTest, FaultIsStickyAcrossResets) {
  SealedMemory<int> memory({1, 2, 3, 4});
  const uint64_t address = Attach(memory, false, true);
  const int32_t module = Load(kCommand);
  const LaunchResponse fault = Launch(module, "stray", {Bytes(address, 8)}, 1);
  EXPECT_EQ(fault.error(), worker::v1::DEVICE_ERROR_FAULT);
  EXPECT_EQ(fault.fault_kind(), reward::v1::FINDING_KIND_OUT_OF_BOUNDS);
  EXPECT_EQ(Launch(module, "add", {Bytes(address, 8), Bytes(1, 4)}, 1).error(), worker::v1::DEVICE_ERROR_FAULT);
  EXPECT_EQ(Allocate(kCommand, 4).error(), worker::v1::DEVICE_ERROR_FAULT);
  const CollectResponse collected = Collect(true);
  EXPECT_EQ(collected.first_error(), worker::v1::DEVICE_ERROR_FAULT);
  ASSERT_GE(collected.findings_size(), 1);
  EXPECT_TRUE(collected.findings(0).fatal());
  EXPECT_EQ(Collect(false).first_error(), worker::v1::DEVICE_ERROR_FAULT);
  EXPECT_THAT(memory.Content(), ElementsAre(1, 2, 3, 4));
}

TEST_F(DeviceServerTest, EndlessKernelExhaustsItsBudget) {
  EXPECT_EQ(Launch(Load(kCommand), "huge", {}, 32).error(), worker::v1::DEVICE_ERROR_BUDGET);
  EXPECT_EQ(Collect(false).first_error(), worker::v1::DEVICE_ERROR_BUDGET);
}

TEST_F(DeviceServerTest, KernelMayNotWriteAnInput) {
  SealedMemory<int> memory({1, 2, 3, 4});
  const uint64_t address = Attach(memory, true, true);
  EXPECT_EQ(Launch(Load(kCommand), "add", {Bytes(address, 8), Bytes(1, 4)}, 4).fault_kind(),
            reward::v1::FINDING_KIND_READ_ONLY_WRITE);
  EXPECT_THAT(memory.Content(), ElementsAre(1, 2, 3, 4));
}

TEST_F(DeviceServerTest, HostMayNotWriteAnInput) {
  SealedMemory<int> memory({1, 2, 3, 4});
  const uint64_t address = Attach(memory, true, true);
  EXPECT_EQ(Copy(CopyRequest::KIND_HOST_TO_DEVICE, address, 0, 4, "abcd").error(),
            worker::v1::DEVICE_ERROR_BAD_ADDRESS);
  EXPECT_EQ(Copy(CopyRequest::KIND_DEVICE_TO_DEVICE, address + 4, address, 4).error(),
            worker::v1::DEVICE_ERROR_BAD_ADDRESS);
  DeviceRequest fill;
  fill.mutable_fill()->set_address(address);
  fill.mutable_fill()->set_size_bytes(16);
  EXPECT_EQ(Handle(kCommand, fill).fill().error(), worker::v1::DEVICE_ERROR_BAD_ADDRESS);
  EXPECT_THAT(memory.Content(), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(Collect(false).findings(0).message(), HasSubstr("data, which is an input"));
}

TEST_F(DeviceServerTest, FillsAreCountedWithTheirRowsAsOne) {
  const uint64_t address = Allocate(kCommand, 64).address();
  DeviceRequest fill;
  fill.mutable_fill()->set_address(address);
  fill.mutable_fill()->set_size_bytes(16);
  // Nothing to continue yet: a fill of its own.
  fill.mutable_fill()->set_continues(true);
  EXPECT_EQ(Handle(kCommand, fill).fill().error(), worker::v1::DEVICE_ERROR_NONE);
  EXPECT_EQ(Handle(kCommand, fill).fill().error(), worker::v1::DEVICE_ERROR_NONE);
  DeviceRequest between;
  between.mutable_memory_info();
  Handle(kCommand, between);
  EXPECT_EQ(Handle(kCommand, fill).fill().error(), worker::v1::DEVICE_ERROR_NONE);
  const CollectResponse collected = Collect(true);
  EXPECT_EQ(collected.transfers().device_fill_count(), 2);
  EXPECT_EQ(collected.transfers().device_fill_bytes(), 48);
  EXPECT_EQ(collected.command_count(), 5);
  EXPECT_EQ(Collect(false).command_count(), 0);
}

TEST_F(DeviceServerTest, ClaimedLackIsToldFromARealOne) {
  DeviceRequest report;
  report.mutable_report()->set_error(worker::v1::DEVICE_ERROR_UNSUPPORTED);
  report.mutable_report()->set_detail("cudaGraphCreate");
  Handle(kCommand, report);
  EXPECT_EQ(Collect(true).unsupported_claim(), "cudaGraphCreate");
  EXPECT_EQ(Collect(false).unsupported_claim(), "cudaGraphCreate");
}

TEST_F(DeviceServerTest, OutputsAreUninitializedAgainAfterReset) {
  SealedMemory<int> memory({1, 2, 3, 4});
  const uint64_t address = Attach(memory, false, false);
  const int32_t module = Load(kCommand);
  for (int call = 0; call < 2; ++call) {
    Collect(true);
    Launch(module, "add", {Bytes(address, 8), Bytes(1, 4)}, 4);
    const CollectResponse collected = Collect(false);
    ASSERT_EQ(collected.findings_size(), 1) << call;
    EXPECT_EQ(collected.findings(0).kind(), reward::v1::FINDING_KIND_UNINITIALIZED_READ);
    EXPECT_FALSE(collected.findings(0).fatal());
  }
}

TEST_F(DeviceServerTest, CommandsWaitForTheFirstResetAndBetweenCollectAndReset) {
  EXPECT_FALSE(server_.takes_commands());
  Collect(true);
  EXPECT_TRUE(server_.takes_commands());
  Collect(false);
  EXPECT_FALSE(server_.takes_commands());
  Collect(true);
  EXPECT_TRUE(server_.takes_commands());
}

TEST_F(DeviceServerTest, ResetFreesTheJudgesScratchAndKeepsTheLaunchers) {
  const uint64_t scratch = Allocate(kControl, 64).address();
  const uint64_t kept = Allocate(kCommand, 64).address();
  Collect(true);
  EXPECT_EQ(Copy(CopyRequest::KIND_HOST_TO_DEVICE, kept, 0, 4, "abcd").error(), worker::v1::DEVICE_ERROR_NONE);
  EXPECT_EQ(Copy(CopyRequest::KIND_HOST_TO_DEVICE, scratch, 0, 4, "abcd").error(),
            worker::v1::DEVICE_ERROR_BAD_ADDRESS);
}

TEST_F(DeviceServerTest, MemoryLimitIsOutOfMemory) {
  EXPECT_EQ(Allocate(kCommand, 1 << 19).error(), worker::v1::DEVICE_ERROR_NONE);
  EXPECT_EQ(Allocate(kCommand, (1 << 19) + 1).error(), worker::v1::DEVICE_ERROR_OUT_OF_MEMORY);
  const CollectResponse collected = Collect(false);
  EXPECT_EQ(collected.first_error(), worker::v1::DEVICE_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(collected.findings(0).kind(), reward::v1::FINDING_KIND_OUT_OF_MEMORY);
}

TEST_F(DeviceServerTest, OnlyOwnAllocationsCanBeFreed) {
  SealedMemory<int> memory({1});
  const uint64_t buffer = Attach(memory, false, true);
  const uint64_t scratch = Allocate(kControl, 64).address();
  const uint64_t own = Allocate(kCommand, 64).address();
  EXPECT_EQ(Free(kCommand, buffer), worker::v1::DEVICE_ERROR_BAD_ADDRESS);
  EXPECT_EQ(Free(kCommand, scratch), worker::v1::DEVICE_ERROR_BAD_ADDRESS);
  EXPECT_EQ(Free(kCommand, own + 4), worker::v1::DEVICE_ERROR_BAD_ADDRESS);
  EXPECT_EQ(Free(kCommand, own), worker::v1::DEVICE_ERROR_NONE);
  EXPECT_EQ(Free(kCommand, own), worker::v1::DEVICE_ERROR_BAD_ADDRESS);
}

TEST_F(DeviceServerTest, TransfersAreCountedByDirectionAndPiecesOnce) {
  const uint64_t a = Allocate(kCommand, 16).address();
  const uint64_t b = Allocate(kCommand, 16).address();
  Copy(CopyRequest::KIND_HOST_TO_DEVICE, a, 0, 4, "abcd");
  Copy(CopyRequest::KIND_HOST_TO_DEVICE, a + 4, 0, 4, "efgh", true);
  Copy(CopyRequest::KIND_DEVICE_TO_DEVICE, b, a, 8);
  EXPECT_EQ(Copy(CopyRequest::KIND_DEVICE_TO_HOST, 0, b, 8).content(), "abcdefgh");
  const auto transfers = Collect(false).transfers();
  EXPECT_EQ(transfers.host_to_device_count(), 1);
  EXPECT_EQ(transfers.host_to_device_bytes(), 8);
  EXPECT_EQ(transfers.device_to_device_bytes(), 8);
  EXPECT_EQ(transfers.device_to_host_bytes(), 8);
  EXPECT_EQ(transfers.device_to_host_count(), 1);
}

TEST_F(DeviceServerTest, OnlyACopyCanBeContinued) {
  const uint64_t a = Allocate(kCommand, 16).address();
  Copy(CopyRequest::KIND_HOST_TO_DEVICE, a, 0, 4, "abcd", true);
  Copy(CopyRequest::KIND_DEVICE_TO_HOST, 0, a, 4, "", true);
  Copy(CopyRequest::KIND_HOST_TO_DEVICE, a, 0, 4, "efgh", true);
  const auto transfers = Collect(false).transfers();
  EXPECT_EQ(transfers.host_to_device_count(), 2);
  EXPECT_EQ(transfers.device_to_host_count(), 1);
}

TEST_F(DeviceServerTest, CopiesOutsideAreRefusedAndNothingIsRead) {
  const uint64_t a = Allocate(kCommand, 16).address();
  EXPECT_EQ(Copy(CopyRequest::KIND_DEVICE_TO_HOST, 0, a, 17).error(), worker::v1::DEVICE_ERROR_BAD_ADDRESS);
  EXPECT_EQ(Copy(CopyRequest::KIND_DEVICE_TO_HOST, 0, a, 17).content(), "");
  EXPECT_EQ(Copy(CopyRequest::KIND_DEVICE_TO_HOST, 0, 4096, 1).error(), worker::v1::DEVICE_ERROR_BAD_ADDRESS);
  EXPECT_EQ(Copy(CopyRequest::KIND_DEVICE_TO_HOST, 0, a, -1).error(), worker::v1::DEVICE_ERROR_BAD_ARGUMENT);
  EXPECT_NE(Copy(CopyRequest::KIND_HOST_TO_DEVICE, a, 0, 8, "abc").error(), worker::v1::DEVICE_ERROR_NONE);
  EXPECT_NE(Copy(CopyRequest::KIND_HOST_TO_DEVICE, ~uint64_t{0} - 1, 0, 8, "abcdefgh").error(),
            worker::v1::DEVICE_ERROR_NONE);
}

TEST_F(DeviceServerTest, BadLaunchesAreRefusedOneByOneAndNotSticky) {
  const int32_t module = Load(kCommand);
  const uint64_t a = Allocate(kCommand, 4096).address();
  EXPECT_EQ(Launch(module, "missing", {}, 1).error(), worker::v1::DEVICE_ERROR_BAD_LAUNCH);
  EXPECT_EQ(Launch(module + 1, "add", {}, 1).error(), worker::v1::DEVICE_ERROR_BAD_LAUNCH);
  EXPECT_EQ(Launch(module, "add", {Bytes(a, 8)}, 1).error(), worker::v1::DEVICE_ERROR_BAD_LAUNCH);
  EXPECT_EQ(Launch(module, "add", {Bytes(a, 8), Bytes(1, 8)}, 1).error(), worker::v1::DEVICE_ERROR_BAD_LAUNCH);
  EXPECT_EQ(Launch(module, "add", {Bytes(a, 8), Bytes(1, 4)}, 1025).error(), worker::v1::DEVICE_ERROR_BAD_LAUNCH);
  EXPECT_EQ(Launch(module, "add", {Bytes(a, 8), Bytes(1, 4)}, 0).error(), worker::v1::DEVICE_ERROR_BAD_LAUNCH);
  EXPECT_EQ(Launch(module, "add", {Bytes(a, 8), Bytes(1, 4)}, 1024).error(), worker::v1::DEVICE_ERROR_NONE);
  const CollectResponse collected = Collect(false);
  EXPECT_EQ(collected.first_error(), worker::v1::DEVICE_ERROR_BAD_LAUNCH);
  EXPECT_THAT(collected.first_error_detail(), HasSubstr("missing"));
  EXPECT_EQ(collected.executions_size(), 1);
}

TEST_F(DeviceServerTest, UnsupportedReportOutweighsRefusedCallsAndIsPrintable) {
  EXPECT_EQ(Free(kCommand, 4), worker::v1::DEVICE_ERROR_BAD_ADDRESS);
  DeviceRequest request;
  request.mutable_report()->set_error(worker::v1::DEVICE_ERROR_UNSUPPORTED);
  request.mutable_report()->set_detail("cudaGraphCreate\n\x01");
  EXPECT_TRUE(Handle(kCommand, request).has_report());
  EXPECT_EQ(Collect(false).first_error(), worker::v1::DEVICE_ERROR_UNSUPPORTED);
  EXPECT_EQ(Collect(false).first_error_detail(), "unsupported: cudaGraphCreate??");
}

TEST_F(DeviceServerTest, HostCannotClaimAFault) {
  DeviceRequest request;
  request.mutable_report()->set_error(worker::v1::DEVICE_ERROR_FAULT);
  Handle(kCommand, request);
  EXPECT_EQ(Collect(false).first_error(), worker::v1::DEVICE_ERROR_BAD_ARGUMENT);
}

TEST_F(DeviceServerTest, UnreadableModuleIsUnsupported) {
  DeviceRequest request;
  request.mutable_load_module()->set_ptx("this is no PTX");
  EXPECT_NE(Handle(kCommand, request).load_module().error(), "");
  EXPECT_EQ(Collect(false).first_error(), worker::v1::DEVICE_ERROR_UNSUPPORTED);
}

TEST_F(DeviceServerTest, VariablesAreFoundAndHaveTheirInitialContent) {
  DeviceRequest request;
  request.mutable_symbol()->set_module(Load(kCommand));
  request.mutable_symbol()->set_name("counter");
  const auto symbol = Handle(kCommand, request).symbol();
  EXPECT_EQ(symbol.size_bytes(), 4);
  EXPECT_EQ(Copy(CopyRequest::KIND_DEVICE_TO_HOST, 0, symbol.address(), 4).content(), Bytes(7, 4));
  request.mutable_symbol()->set_name("nothing");
  EXPECT_EQ(Handle(kCommand, request).symbol().error(), worker::v1::DEVICE_ERROR_BAD_ARGUMENT);
}

TEST_F(DeviceServerTest, TooManyLaunchesEndTheCallInsteadOfTheCounters) {
  const int32_t module = Load(kCommand);
  const uint64_t a = Allocate(kCommand, 16).address();
  LaunchResponse last;
  for (int i = 0; i <= DeviceLedger::kMaxLaunches; ++i) {
    last = Launch(module, "add", {Bytes(a, 8), Bytes(1, 4)}, 1);
  }
  EXPECT_EQ(last.error(), worker::v1::DEVICE_ERROR_BUDGET);
  EXPECT_EQ(Collect(false).executions_size(), DeviceLedger::kMaxLaunches);
}

}  // namespace
}  // namespace cudaperf::sandbox
