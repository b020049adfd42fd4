#ifndef CUDAPERF_TESTS_SANDBOX_COMPILE_COMPILER_FIXTURE_H_
#define CUDAPERF_TESTS_SANDBOX_COMPILE_COMPILER_FIXTURE_H_

#include <sys/types.h>

#include <memory>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "sandbox/compile/sandboxed_compiler.h"

namespace cudaperf::sandbox {

// Text of a response that a reader sees: detail, diagnostics, log.
std::string TextOf(const worker::v1::CompileResponse& response);

// Real compilers in real jails, at the best level that this machine allows, or at REDUCED when the environment has
// CUDAPERF_REDUCED; one warm compiler per suite.
class CompilerTest : public testing::Test {
 protected:
  static constexpr int64_t kMemoryBytes = int64_t{1} << 30;

  static void SetUpTestSuite();
  static void TearDownTestSuite();
  void SetUp() override;

  static worker::v1::CompileRequest Device(const std::string& source);
  // A launcher of `void saxpy(int, float, const float*, float*)`.
  static worker::v1::CompileRequest Launcher(const std::string& source);
  static worker::v1::CompileRequest Reference(const std::string& source);

  // Compiles; a status that is not OK fails the test.
  worker::v1::CompileResponse Compile(const worker::v1::CompileRequest& request);

  // Processes on this machine that run `cudaperf-compiler` of this build, with their supervisors.
  static int WorkerCount();
  // The warm server of this build and its spare child.
  static std::vector<pid_t> Servers();
  // Whether no more are left than when idle, in the end: a child that has answered still has its memory to free.
  static bool WorkersAreIdle();

  static SandboxedCompiler* compiler_;
  // Of a compiler with nothing to do: its supervisor, the warm server, the spare child.
  static int idle_worker_count_;
  // Why the machine does not allow the level that was asked for.
  static std::string refusal_;
};

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_TESTS_SANDBOX_COMPILE_COMPILER_FIXTURE_H_
