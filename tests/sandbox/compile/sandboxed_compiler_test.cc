#include "sandbox/compile/sandboxed_compiler.h"

#include <signal.h>

#include <algorithm>
#include <chrono>
#include <future>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "absl/time/clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/sandbox/compile/compiler_fixture.h"

namespace cudaperf::sandbox {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using worker::v1::COMPILE_STATUS_FAILED;
using worker::v1::COMPILE_STATUS_SUCCEEDED;
using worker::v1::COMPILE_STATUS_TIMED_OUT;
using worker::v1::CompileResponse;

constexpr char kSaxpy[] =
    "#include <cuda_fp16.h>\n"
    "__global__ void saxpy(int n, float a, const float* x, float* y) {\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i < n) y[i] = a * x[i] + y[i];\n"
    "}\n";
constexpr char kLauncher[] =
    "__global__ void scale(int n, float a, const float* x, float* y) {\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i < n) y[i] = a * x[i] + y[i];\n"
    "}\n"
    "extern \"C\" void saxpy(int n, float a, const float* x, float* y) { scale<<<(n + 255) / 256, 256>>>(n, a, x, y); "
    "}\n";
// Compiles for minutes.
constexpr char kEndless[] =
    "constexpr int f(long n) { int s = 0; for (long i = 0; i < n; ++i) s ^= (int)i; return s; }\n"
    "template <int N> struct S { static constexpr int v = S<N - 1>::v + S<N - 2>::v + f(100000); };\n"
    "template <> struct S<0> { static constexpr int v = f(1L << 60); };\n"
    "template <> struct S<1> { static constexpr int v = f(1L << 60); };\n"
    "__global__ void k(int* x) { constexpr int v = S<60>::v; *x = v; }\n";

using SandboxedCompilerTest = CompilerTest;

TEST_F(SandboxedCompilerTest, DeviceSourceBecomesPtxAndCubin) {
  const CompileResponse response = Compile(Device(kSaxpy));
  ASSERT_EQ(response.status(), COMPILE_STATUS_SUCCEEDED) << TextOf(response);
  EXPECT_THAT(response.program().ptx(), HasSubstr(".entry _Z5saxpyifPKfPf"));
  EXPECT_THAT(response.program().cubin(), testing::StartsWith("\x7f"
                                                              "ELF"));
  ASSERT_EQ(response.kernels_size(), 1);
  EXPECT_EQ(response.kernels(0).demangled_name(), "saxpy(int, float, float const*, float*)");
  EXPECT_THAT(response.kernels(0).parameter_types(), ElementsAre("u32", "f32", "u64", "u64"));
  EXPECT_GT(response.kernels(0).register_count(), 0);
  EXPECT_EQ(response.log(), "");
}

TEST_F(SandboxedCompilerTest, SameSourceBecomesTheSameBytes) {
  const std::string cubin = Compile(Device(kSaxpy)).program().cubin();
  EXPECT_NE(cubin, "");
  EXPECT_EQ(Compile(Device(kSaxpy)).program().cubin(), cubin);
}

TEST_F(SandboxedCompilerTest, DeviceErrorsHaveLines) {
  const CompileResponse response = Compile(Device("__global__ void f(int* x) {\n  x[0] = y;\n}\n"));
  EXPECT_EQ(response.status(), COMPILE_STATUS_FAILED);
  ASSERT_EQ(response.diagnostics_size(), 1);
  EXPECT_EQ(response.diagnostics(0).file(), "candidate.cu");
  EXPECT_EQ(response.diagnostics(0).line(), 2);
  EXPECT_EQ(response.diagnostics(0).column(), 10);
  EXPECT_THAT(response.diagnostics(0).message(), HasSubstr("\"y\" is undefined"));
  EXPECT_FALSE(response.has_program());
}

TEST_F(SandboxedCompilerTest, FastMathChangesTheCode) {
  worker::v1::CompileRequest request = Device("__global__ void k(float* x) { *x = 1.0f / *x; }\n");
  EXPECT_THAT(Compile(request).program().ptx(), HasSubstr("rcp.rn.f32"));
  request.set_fast_math(true);
  EXPECT_THAT(Compile(request).program().ptx(), HasSubstr("rcp.approx.ftz.f32"));
}

TEST_F(SandboxedCompilerTest, LibraryHeadersAreThere) {
  const CompileResponse response =
      Compile(Device("#include <cooperative_groups.h>\n#include <cuda/std/cstdint>\n__global__ void "
                     "k(cuda::std::uint32_t* x) { *x = 1; }\n"));
  EXPECT_EQ(response.status(), COMPILE_STATUS_SUCCEEDED) << TextOf(response);
}

TEST_F(SandboxedCompilerTest, LauncherBecomesASharedObject) {
  const CompileResponse response = Compile(Launcher(kLauncher));
  ASSERT_EQ(response.status(), COMPILE_STATUS_SUCCEEDED) << TextOf(response);
  EXPECT_THAT(response.program().shared_object(), testing::StartsWith("\x7f"
                                                                      "ELF"));
  EXPECT_THAT(response.program().shared_object(), HasSubstr("libcudart.so.13"));
  EXPECT_THAT(response.program().ptx(), HasSubstr(".entry _Z5scaleifPKfPf"));
  ASSERT_EQ(response.kernels_size(), 1);
  EXPECT_EQ(response.kernels(0).name(), "_Z5scaleifPKfPf");
  EXPECT_GT(response.kernels(0).register_count(), 0);
}

TEST_F(SandboxedCompilerTest, WrongEntryPointIsExplained) {
  const CompileResponse response = Compile(Launcher("extern \"C\" void saxpy(int n, const float* x) {}\n"));
  EXPECT_EQ(response.status(), COMPILE_STATUS_FAILED);
  ASSERT_GT(response.diagnostics_size(), 0);
  EXPECT_THAT(response.diagnostics(0).message(), HasSubstr("void saxpy(int, float, float*, float*)"));
  EXPECT_THAT(response.diagnostics(0).message(), HasSubstr("found: extern \"C\" void saxpy(int n, const float* x)"));
  for (const auto& diagnostic : response.diagnostics()) EXPECT_NE(diagnostic.file(), "cudaperf_invoke.cu");
}

TEST_F(SandboxedCompilerTest, MissingEntryPointIsExplained) {
  const CompileResponse response = Compile(Launcher("extern \"C\" void solve(int n) {}\n"));
  EXPECT_EQ(response.status(), COMPILE_STATUS_FAILED);
  EXPECT_THAT(TextOf(response), HasSubstr("no function saxpy is defined; found: extern \"C\" void solve(int n)"));
}

TEST_F(SandboxedCompilerTest, SourceThatHidesTheCallFails) {
  const CompileResponse response = Compile(Launcher(std::string(kLauncher) + "#if 0\n"));
  EXPECT_EQ(response.status(), COMPILE_STATUS_FAILED);
  EXPECT_GT(response.diagnostics_size(), 0);
}

TEST_F(SandboxedCompilerTest, ReferenceBecomesASharedObject) {
  const CompileResponse response =
      Compile(Reference("#include <math.h>\nvoid saxpy(int n, float a, const float* x, float* y) { for (int i = 0; i < "
                        "n; ++i) y[i] += a * sqrtf(x[i]); }\n"));
  ASSERT_EQ(response.status(), COMPILE_STATUS_SUCCEEDED) << TextOf(response);
  EXPECT_THAT(response.program().shared_object(), testing::StartsWith("\x7f"
                                                                      "ELF"));
}

TEST_F(SandboxedCompilerTest, ReferenceErrorsHaveLines) {
  const CompileResponse response =
      Compile(Reference("void saxpy(int n, float a, const float* x, float* y) {\n  z = 1;\n}\n"));
  EXPECT_EQ(response.status(), COMPILE_STATUS_FAILED);
  ASSERT_GT(response.diagnostics_size(), 0);
  EXPECT_EQ(response.diagnostics(0).file(), "reference.c");
  EXPECT_EQ(response.diagnostics(0).line(), 2);
}

TEST_F(SandboxedCompilerTest, NoPathOfOursIsTold) {
  for (const worker::v1::CompileRequest& request :
       {Device("#include <cuda_fp16.h>\n__global__ void k(__half* h) { *h = __half{1, 2, 3}; }\n#error x\n"),
        Launcher("#include <cuda_fp16.h>\n#error x\n")}) {
    EXPECT_THAT(TextOf(Compile(request)), Not(testing::AnyOf(HasSubstr("/usr/local"), HasSubstr("/scratch"))));
  }
}

TEST_F(SandboxedCompilerTest, TimeLimitHolds) {
  for (worker::v1::CompileRequest request : {Device(kEndless), Launcher(kEndless)}) {
    request.mutable_time_limit()->set_seconds(1);
    const absl::Time start = absl::Now();
    const CompileResponse response = Compile(request);
    EXPECT_EQ(response.status(), COMPILE_STATUS_TIMED_OUT) << TextOf(response);
    // The second is what a busy machine reaches first.
    EXPECT_THAT(response.detail(),
                testing::AnyOf(HasSubstr("more than 1s of processor time"), HasSubstr("did not finish within 4s")));
    EXPECT_LT(absl::Now() - start, absl::Seconds(8));
  }
}

TEST_F(SandboxedCompilerTest, CancelledCompilationEndsAtOnce) {
  for (const worker::v1::CompileRequest& request : {Device(kEndless), Launcher(kEndless)}) {
    std::stop_source stop;
    std::future<absl::Status> status = std::async(std::launch::async, [&] {
      return compiler_->Compile(request, {.deadline = absl::InfiniteFuture(), .stop = stop.get_token()}).status();
    });
    EXPECT_EQ(status.wait_for(std::chrono::milliseconds(500)), std::future_status::timeout);
    const absl::Time start = absl::Now();
    stop.request_stop();
    EXPECT_TRUE(absl::IsCancelled(status.get()));
    EXPECT_LT(absl::Now() - start, absl::Milliseconds(500));
    EXPECT_TRUE(WorkersAreIdle());
  }
}

TEST_F(SandboxedCompilerTest, DeadlineOfTheCallerEndsIt) {
  const absl::Status status =
      compiler_->Compile(Device(kEndless), {.deadline = absl::Now() + absl::Milliseconds(300), .stop = {}}).status();
  EXPECT_TRUE(absl::IsDeadlineExceeded(status)) << status;
}

TEST_F(SandboxedCompilerTest, SeveralCompileAtOnce) {
  std::vector<std::future<CompileResponse>> responses;
  for (int i = 0; i < 4; ++i) {
    responses.push_back(std::async(std::launch::async, [&, i] {
      return Compile(Device("__global__ void k" + std::to_string(i) + "(int* x) { *x = 1; }\n"));
    }));
  }
  for (int i = 0; i < 4; ++i) {
    const CompileResponse response = responses[i].get();
    ASSERT_EQ(response.kernels_size(), 1) << TextOf(response);
    EXPECT_EQ(response.kernels(0).demangled_name(), "k" + std::to_string(i) + "(int*)");
  }
}

TEST_F(SandboxedCompilerTest, DeadServerIsReplaced) {
  const std::vector<pid_t> servers = Servers();
  ASSERT_GE(servers.size(), 1u);
  for (const pid_t server : servers) kill(server, SIGKILL);
  const CompileResponse response = Compile(Device(kSaxpy));
  EXPECT_EQ(response.status(), COMPILE_STATUS_SUCCEEDED) << TextOf(response);
}

TEST_F(SandboxedCompilerTest, ServerThatDiesAgainAndAgainIsUnavailable) {
  std::jthread killer([](std::stop_token stop) {
    while (!stop.stop_requested()) {
      for (const pid_t server : Servers()) kill(server, SIGKILL);
    }
  });
  const absl::Status status = compiler_->Compile(Device(kEndless), CallScope()).status();
  EXPECT_TRUE(absl::IsUnavailable(status)) << status;
  killer.request_stop();
  killer.join();
  EXPECT_EQ(Compile(Device(kSaxpy)).status(), COMPILE_STATUS_SUCCEEDED);
}

TEST_F(SandboxedCompilerTest, LauncherNamesTheFunctionsThatItNeeds) {
  const CompileResponse response = Compile(Launcher(kLauncher));
  EXPECT_THAT(response.program().cuda_functions(), testing::Contains("__cudaLaunchKernel"));
  EXPECT_THAT(response.program().cuda_functions(), Not(testing::Contains("cudaGraphCreate")));
}

TEST_F(SandboxedCompilerTest, BadRequestsAreRefused) {
  EXPECT_TRUE(absl::IsInvalidArgument(compiler_->Compile(Device(""), {}).status()));
  EXPECT_TRUE(absl::IsInvalidArgument(compiler_->Compile(Device(std::string((1 << 20) + 1, ' ')), {}).status()));
  worker::v1::CompileRequest request = Device(kSaxpy);
  request.set_architecture("sm_90 --version");
  EXPECT_TRUE(absl::IsInvalidArgument(compiler_->Compile(request, {}).status()));
}

TEST_F(SandboxedCompilerTest, MissingToolkitIsTold) {
  SandboxedCompiler::Options options;
  options.worker_directory = CUDAPERF_BINARY_DIR "/bin";
  options.toolkit_root = "/nowhere";
  EXPECT_TRUE(absl::IsNotFound(SandboxedCompiler::Create(options).status()));
}

}  // namespace
}  // namespace cudaperf::sandbox
