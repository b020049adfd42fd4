// Launchers and references, end to end: compiled, loaded by a runner, run against a device process.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/sandbox/device/sealed_memory.h"
#include "tests/sandbox/runner/program_fixture.h"

namespace cudaperf::sandbox {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using worker::v1::CollectRequest;
using worker::v1::CollectResponse;
using worker::v1::InvokeRequest;

// One saxpy launcher with its device, called the way the judge does.
class SaxpyTest : public ::testing::Test {
 protected:
  void SetUp() override {
    device_ = DeviceProcess::Start();
    runner_ = RunnerProcess::Start(CompileLauncher("saxpy_launcher.cu"), std::move(device_.command));
    x_address_ = Attach("x", x_, true);
    y_address_ = Attach("y", y_, false);
  }

  uint64_t Attach(const std::string& name, const SealedMemory<float>& memory, bool read_only) {
    worker::v1::AttachBufferRequest request;
    request.set_name(name);
    request.set_size_bytes(static_cast<int64_t>(memory.size_bytes()));
    request.set_read_only(read_only);
    request.set_initialized(true);
    request.set_element_size_bytes(sizeof(float));
    return device_.control->AttachBuffer(request, memory.fd()).value();
  }

  absl::StatusOr<worker::v1::InvokeResponse> Call(int mode) {
    CollectRequest reset;
    reset.set_reset(true);
    EXPECT_TRUE(device_.control->Collect(reset).ok());
    InvokeRequest request;
    AddValue(&request, int{4});
    AddValue(&request, 2.0f);
    AddValue(&request, x_address_);
    AddValue(&request, y_address_);
    AddValue(&request, mode);
    return runner_.Invoke(request);
  }

  CollectResponse Collect() { return device_.control->Collect({}).value(); }

  SealedMemory<float> x_{{1, 2, 3, 4}};
  SealedMemory<float> y_{{10, 20, 30, 40}};
  DeviceProcess device_;
  RunnerProcess runner_;
  uint64_t x_address_ = 0;
  uint64_t y_address_ = 0;
};

TEST_F(SaxpyTest, OutputsAndCountersAreTheJudgesToRead) {
  EXPECT_EQ(Call(0).value().error(), "");
  EXPECT_THAT(y_.Content(), ElementsAre(12, 24, 36, 48));
  const CollectResponse collected = Collect();
  EXPECT_EQ(collected.first_error(), worker::v1::DEVICE_ERROR_NONE) << collected.first_error_detail();
  ASSERT_EQ(collected.executions_size(), 1);
  EXPECT_THAT(collected.executions(0).kernel(), HasSubstr("Saxpy"));
  EXPECT_THAT(collected.executions(0).block(), ElementsAre(256, 1, 1));
  EXPECT_EQ(collected.executions(0).counters().global_load_request_count(), 2);
  EXPECT_EQ(collected.executions(0).counters().global_store_bytes(), 16);
  EXPECT_EQ(collected.transfers().host_to_device_count(), 0);
}

TEST_F(SaxpyTest, SecondCallCountsAfresh) {
  EXPECT_EQ(Call(0).value().error(), "");
  EXPECT_EQ(Call(0).value().error(), "");
  EXPECT_THAT(y_.Content(), ElementsAre(14, 28, 42, 56));
  EXPECT_EQ(Collect().executions_size(), 1);
}

TEST_F(SaxpyTest, DeviceFaultIsTheClaimAndTheEvidence) {
  EXPECT_THAT(Call(1).value().error(), HasSubstr("illegal memory access"));
  const CollectResponse collected = Collect();
  EXPECT_EQ(collected.first_error(), worker::v1::DEVICE_ERROR_FAULT);
  EXPECT_EQ(collected.findings(0).kind(), reward::v1::FINDING_KIND_OUT_OF_BOUNDS);
  EXPECT_THAT(collected.findings(0).kernel(), HasSubstr("Stray"));
}

TEST_F(SaxpyTest, MissingApiIsNamedToTheDevice) {
  EXPECT_THAT(Call(2).value().error(), HasSubstr("not supported"));
  EXPECT_EQ(Collect().first_error(), worker::v1::DEVICE_ERROR_UNSUPPORTED);
  EXPECT_EQ(Collect().first_error_detail(), "unsupported: cudaGraphCreate");
}

TEST_F(SaxpyTest, CooperativeLaunchHasTheWorkspaceOfItsGridsBarrier) {
  EXPECT_EQ(Call(6).value().error(), "");
  EXPECT_THAT(y_.Content(), ElementsAre(2, 24, 36, 48));
  EXPECT_EQ(Collect().executions_size(), 2);
}

TEST_F(SaxpyTest, PinnedMemoryInAKernelIsUnsupportedAndNoFault) {
  EXPECT_THAT(Call(7).value().error(), HasSubstr("not supported"));
  EXPECT_THAT(Collect().first_error_detail(), HasSubstr("pinned host memory used by a kernel"));
}

TEST_F(SaxpyTest, SegmentationFaultEndsTheRunnerBySignal) {
  EXPECT_FALSE(Call(3).ok());
  const int end = runner_.process->Wait();
  EXPECT_TRUE(WIFSIGNALED(end));
  EXPECT_EQ(WTERMSIG(end), SIGSEGV);
  // The device is another process and goes on.
  EXPECT_TRUE(device_.control->Collect({}).ok());
}

TEST_F(SaxpyTest, ExitBeforeTheAnswerIsNoAnswer) {
  EXPECT_FALSE(Call(4).ok());
  EXPECT_TRUE(WIFEXITED(runner_.process->Wait()));
}

TEST_F(SaxpyTest, CopyOntoAnInputIsRefused) {
  EXPECT_EQ(Call(5).value().error(), "");
  EXPECT_THAT(x_.Content(), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(Collect().first_error_detail(), HasSubstr("x, which is an input"));
}

TEST_F(SaxpyTest, BrokenCommandChannelLeavesTheDeviceAlive) {
  auto pair = FrameChannel::CreatePair().value();
  DeviceProcess device = DeviceProcess::Start();
  const char header[8] = {'\xff', '\xff', '\xff', '\x7f', 0, 0, 0, 0};
  ASSERT_EQ(write(device.command.get(), header, sizeof(header)), 8);
  // The device closes its end of a channel that breaks the format.
  char byte;
  EXPECT_EQ(read(device.command.get(), &byte, 1), 0);
  EXPECT_EQ(device.control->Collect({}).value().first_error(), worker::v1::DEVICE_ERROR_BAD_ARGUMENT);
}

TEST_F(SaxpyTest, HalfACommandDoesNotHoldTheDevice) {
  DeviceProcess device = DeviceProcess::Start();
  const char header[8] = {100, 0, 0, 0, 0, 0, 0, 0};
  ASSERT_EQ(write(device.command.get(), header, sizeof(header)), 8);
  char byte;
  EXPECT_EQ(read(device.command.get(), &byte, 1), 0);
  EXPECT_THAT(device.control->Collect({}).value().first_error_detail(), HasSubstr("broken command channel"));
}

TEST_F(SaxpyTest, CommandsAfterCollectWaitForTheNextReset) {
  DeviceProcess device = DeviceProcess::Start();
  ASSERT_TRUE(device.control->Collect({}).ok());
  DeviceClient command(FrameChannel(std::move(device.command)));
  std::thread background([&] { EXPECT_TRUE(command.Allocate(64).ok()); });
  // However often the judge asks, the allocation has not happened.
  for (int i = 0; i < 20; ++i) {
    worker::v1::DeviceRequest info;
    info.mutable_memory_info();
    EXPECT_EQ(device.control->Call(info).value().memory_info().free_bytes(), 64 << 20);
  }
  CollectRequest reset;
  reset.set_reset(true);
  ASSERT_TRUE(device.control->Collect(reset).ok());
  background.join();
  worker::v1::DeviceRequest info;
  info.mutable_memory_info();
  EXPECT_EQ(device.control->Call(info).value().memory_info().free_bytes(), (64 << 20) - 64);
}

// Every API group runs in a process of its own and answers with the line that failed.
class ApiTest : public ::testing::TestWithParam<int> {};

TEST_P(ApiTest, BehavesAsOnHardware) {
  DeviceProcess device = DeviceProcess::Start();
  RunnerProcess runner = RunnerProcess::Start(CompileLauncher("api_launcher.cu"), std::move(device.command));
  SealedMemory<int> answer({-1});
  InvokeRequest request;
  AddValue(&request, GetParam());
  request.add_arguments()->mutable_buffer()->set_size_bytes(4);
  auto response = runner.Invoke(request, {answer.fd()});
  ASSERT_TRUE(response.ok()) << response.status();
  EXPECT_EQ(response->error(), "");
  EXPECT_EQ(answer[0], 0) << "the line of testdata/api_launcher.cu";
  const CollectResponse collected = device.control->Collect({}).value();
  EXPECT_NE(collected.first_error(), worker::v1::DEVICE_ERROR_UNSUPPORTED) << collected.first_error_detail();
}

std::string GroupName(const ::testing::TestParamInfo<int>& group) {
  static constexpr const char* kNames[] = {"Allocation", "Copies",   "PitchedCopies", "Symbols", "StreamsAndEvents",
                                           "Queries",    "Launches", "Occupancy",     "Caching", "Reset"};
  return kNames[group.param];
}

INSTANTIATE_TEST_SUITE_P(Groups, ApiTest, ::testing::Range(0, 10), GroupName);

TEST(CachingTest, PointerKeptInAStaticVariableSurvivesReset) {
  DeviceProcess device = DeviceProcess::Start();
  RunnerProcess runner = RunnerProcess::Start(CompileLauncher("api_launcher.cu"), std::move(device.command));
  for (int call = 0; call < 2; ++call) {
    CollectRequest reset;
    reset.set_reset(true);
    ASSERT_TRUE(device.control->Collect(reset).ok());
    SealedMemory<int> answer({-1});
    InvokeRequest request;
    AddValue(&request, 8);
    request.add_arguments()->mutable_buffer()->set_size_bytes(4);
    EXPECT_EQ(runner.Invoke(request, {answer.fd()}).value().error(), "") << call;
    EXPECT_EQ(answer[0], 0) << call;
    EXPECT_EQ(device.control->Collect({}).value().executions_size(), 1);
  }
}

TEST(TransferTest, CopiesOfTheHostAreCounted) {
  DeviceProcess device = DeviceProcess::Start();
  RunnerProcess runner = RunnerProcess::Start(CompileLauncher("api_launcher.cu"), std::move(device.command));
  SealedMemory<int> answer({-1});
  InvokeRequest request;
  AddValue(&request, 2);  // PitchedCopies
  request.add_arguments()->mutable_buffer()->set_size_bytes(4);
  ASSERT_EQ(runner.Invoke(request, {answer.fd()}).value().error(), "");
  const auto transfers = device.control->Collect({}).value().transfers();
  // A pitched copy is one transfer: 6 rows of 20 bytes, then a volume of 120 bytes.
  EXPECT_EQ(transfers.host_to_device_count(), 2);
  EXPECT_EQ(transfers.host_to_device_bytes(), 240);
  EXPECT_EQ(transfers.device_to_host_count(), 3);
  EXPECT_EQ(transfers.device_to_host_bytes(), 20 + 48 + 20);
}

class ReferenceTest : public ::testing::Test {
 protected:
  InvokeRequest Request(int n) {
    InvokeRequest request;
    AddValue(&request, n);
    AddValue(&request, 2.0f);
    request.add_arguments()->mutable_buffer()->set_size_bytes(12);
    request.mutable_arguments(2)->mutable_buffer()->set_read_only(true);
    request.add_arguments()->mutable_buffer()->set_size_bytes(12);
    return request;
  }

  SealedMemory<float> x_{{1, 2, 3}};
  SealedMemory<float> y_{{10, 20, 30}};
};

TEST_F(ReferenceTest, WritesItsOutputAndCannotReachItsInput) {
  RunnerProcess runner = RunnerProcess::Start(CompileC("reference.c"), UniqueFd());
  EXPECT_EQ(runner.Invoke(Request(3), {x_.fd(), y_.fd()}).value().error(), "");
  EXPECT_THAT(y_.Content(), ElementsAre(12, 24, 36));
  EXPECT_THAT(x_.Content(), ElementsAre(1, 2, 3));
}

TEST_F(ReferenceTest, MemoryShorterThanAnnouncedIsRefused) {
  RunnerProcess runner = RunnerProcess::Start(CompileC("reference.c"), UniqueFd());
  InvokeRequest request = Request(3);
  request.mutable_arguments(3)->mutable_buffer()->set_size_bytes(4096);
  EXPECT_THAT(runner.Invoke(request, {x_.fd(), y_.fd()}).value().error(), HasSubstr("argument 3"));
  EXPECT_THAT(runner.Invoke(Request(3), {x_.fd()}).value().error(), HasSubstr("fewer descriptors"));
}

TEST_F(ReferenceTest, UnresolvedSymbolIsNamed) {
  RunnerProcess runner = RunnerProcess::Start(CompileC("unresolved.c"), UniqueFd());
  const auto response = runner.Invoke(Request(3), {x_.fd(), y_.fd()}).value();
  EXPECT_EQ(response.unresolved_symbol(), "no_such_function");
  EXPECT_THAT(response.error(), HasSubstr("undefined symbol"));
}

TEST_F(ReferenceTest, RunnerEndsWithItsChannel) {
  RunnerProcess runner = RunnerProcess::Start(CompileC("reference.c"), UniqueFd());
  runner.channel.reset();
  const int end = runner.process->Wait();
  EXPECT_TRUE(WIFEXITED(end) && WEXITSTATUS(end) == 0);
}

}  // namespace
}  // namespace cudaperf::sandbox
