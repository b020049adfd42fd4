#include "sandbox/compile/caching_compiler.h"

#include <atomic>
#include <latch>
#include <memory>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/clock.h"
#include "gtest/gtest.h"

namespace cudaperf::sandbox {
namespace {

using worker::v1::CompileRequest;
using worker::v1::CompileResponse;
using worker::v1::CompileStatus;

// Answers every request with `result`, after `gate` when there is one, and counts.
class FakeCompiler : public Compiler {
 public:
  absl::StatusOr<CompileResponse> Compile(const CompileRequest& request, const CallScope& scope) override {
    ++call_count;
    if (gate != nullptr) gate->wait();
    if (!status.ok()) return status;
    CompileResponse response;
    response.set_status(result);
    response.mutable_program()->set_ptx(request.source());
    return response;
  }

  std::atomic<int> call_count = 0;
  CompileStatus result = worker::v1::COMPILE_STATUS_SUCCEEDED;
  absl::Status status;
  std::latch* gate = nullptr;
};

CompileRequest Request(const std::string& source) {
  CompileRequest request;
  request.set_source(source);
  return request;
}

class CachingCompilerTest : public testing::Test {
 protected:
  void Make(int64_t capacity_bytes) {
    auto inner = std::make_unique<FakeCompiler>();
    inner_ = inner.get();
    compiler_ = std::make_unique<CachingCompiler>(std::move(inner), capacity_bytes);
  }

  FakeCompiler* inner_ = nullptr;
  std::unique_ptr<CachingCompiler> compiler_;
};

TEST_F(CachingCompilerTest, SameContentIsCompiledOnce) {
  Make(1 << 20);
  EXPECT_FALSE(compiler_->Compile(Request("a"), {})->cache_hit());
  const absl::StatusOr<CompileResponse> second = compiler_->Compile(Request("a"), {});
  EXPECT_TRUE(second->cache_hit());
  EXPECT_EQ(second->program().ptx(), "a");
  EXPECT_EQ(inner_->call_count, 1);
}

TEST_F(CachingCompilerTest, EveryPartOfTheContentCounts) {
  Make(1 << 20);
  CompileRequest request = Request("a");
  compiler_->Compile(request, {}).IgnoreError();
  for (auto change : std::vector<void (*)(CompileRequest&)>{
           [](CompileRequest& r) { r.set_fast_math(true); }, [](CompileRequest& r) { r.set_architecture("sm_80"); },
           [](CompileRequest& r) { r.set_invoke_source("x"); }, [](CompileRequest& r) { r.set_entry_point("x"); },
           [](CompileRequest& r) { r.set_language(worker::v1::SOURCE_LANGUAGE_C); }}) {
    CompileRequest other = request;
    change(other);
    EXPECT_FALSE(compiler_->Compile(other, {})->cache_hit());
  }
}

TEST_F(CachingCompilerTest, PlainFailureIsRemembered) {
  Make(1 << 20);
  inner_->result = worker::v1::COMPILE_STATUS_FAILED;
  compiler_->Compile(Request("a"), {}).IgnoreError();
  EXPECT_TRUE(compiler_->Compile(Request("a"), {})->cache_hit());
}

TEST_F(CachingCompilerTest, WhatTheMachineDecidedIsTriedAnew) {
  Make(1 << 20);
  for (CompileStatus result : {worker::v1::COMPILE_STATUS_TIMED_OUT, worker::v1::COMPILE_STATUS_CRASHED,
                               worker::v1::COMPILE_STATUS_LIMIT_EXCEEDED}) {
    inner_->result = result;
    compiler_->Compile(Request("a"), {}).IgnoreError();
    EXPECT_FALSE(compiler_->Compile(Request("a"), {})->cache_hit());
  }
}

TEST_F(CachingCompilerTest, FaultOfOursIsTriedAnew) {
  Make(1 << 20);
  inner_->status = absl::InternalError("worker");
  EXPECT_FALSE(compiler_->Compile(Request("a"), {}).ok());
  inner_->status = absl::OkStatus();
  EXPECT_FALSE(compiler_->Compile(Request("a"), {})->cache_hit());
}

TEST_F(CachingCompilerTest, BytesAreBounded) {
  Make(10'000);
  for (int i = 0; i < 100; ++i)
    compiler_->Compile(Request(std::string(1000, 'x') + std::to_string(i)), {}).IgnoreError();
  EXPECT_LE(compiler_->size_bytes(), 10'000);
  EXPECT_GT(compiler_->size_bytes(), 0);
  EXPECT_TRUE(compiler_->Compile(Request(std::string(1000, 'x') + "99"), {})->cache_hit());
  EXPECT_FALSE(compiler_->Compile(Request(std::string(1000, 'x') + "0"), {})->cache_hit());
}

TEST_F(CachingCompilerTest, ConcurrentDuplicatesShareOneCompilation) {
  Make(1 << 20);
  std::latch gate(1);
  inner_->gate = &gate;
  std::vector<std::thread> threads;
  std::atomic<int> good = 0;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] { good += compiler_->Compile(Request("a"), {})->program().ptx() == "a" ? 1 : 0; });
  }
  while (inner_->call_count == 0) std::this_thread::yield();
  gate.count_down();
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(good, 8);
  EXPECT_EQ(inner_->call_count, 1);
}

TEST_F(CachingCompilerTest, WaitingEndsWithTheWaitersOwnScope) {
  Make(1 << 20);
  std::latch gate(1);
  inner_->gate = &gate;
  std::thread leader([&] { compiler_->Compile(Request("a"), {}).IgnoreError(); });
  while (inner_->call_count == 0) std::this_thread::yield();
  EXPECT_TRUE(absl::IsDeadlineExceeded(
      compiler_->Compile(Request("a"), {.deadline = absl::Now() + absl::Milliseconds(5), .stop = {}}).status()));
  std::stop_source stop;
  stop.request_stop();
  EXPECT_TRUE(absl::IsCancelled(
      compiler_->Compile(Request("a"), {.deadline = absl::InfiniteFuture(), .stop = stop.get_token()}).status()));
  gate.count_down();
  leader.join();
}

}  // namespace
}  // namespace cudaperf::sandbox
