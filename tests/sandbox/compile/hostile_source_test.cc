// Sources that attack the compiler, and what must become of each. After each, an honest one still compiles.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <functional>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/sandbox/compile/compiler_fixture.h"

namespace cudaperf::sandbox {
namespace {

using testing::AnyOf;
using testing::HasSubstr;
using testing::Not;
using worker::v1::COMPILE_STATUS_CRASHED;
using worker::v1::COMPILE_STATUS_FAILED;
using worker::v1::COMPILE_STATUS_LIMIT_EXCEEDED;
using worker::v1::COMPILE_STATUS_SUCCEEDED;
using worker::v1::COMPILE_STATUS_TIMED_OUT;
using worker::v1::CompileResponse;

constexpr char kHonest[] = "__global__ void honest(int* x) { *x = 1; }\n";
constexpr char kHonestLauncher[] = "extern \"C\" void saxpy(int n, float a, const float* x, float* y) {}\n";

class HostileSourceTest : public CompilerTest {
 protected:
  // Both compilers; an honest source follows.
  void ForBoth(const std::string& source, const std::function<void(const CompileResponse&)>& check,
               int limit_seconds = 30) {
    for (worker::v1::CompileRequest request : {Device(source), Launcher(source + kHonestLauncher)}) {
      EXPECT_TRUE(WorkersAreIdle());
      request.mutable_time_limit()->set_seconds(limit_seconds);
      check(Compile(request));
      EXPECT_EQ(Compile(Device(kHonest)).status(), COMPILE_STATUS_SUCCEEDED);
      EXPECT_TRUE(WorkersAreIdle());
    }
  }
};

TEST_F(HostileSourceTest, HostFileIsNotIncluded) {
  ForBoth("#include \"/etc/passwd\"\n", [](const CompileResponse& response) {
    EXPECT_EQ(response.status(), COMPILE_STATUS_FAILED);
    EXPECT_THAT(TextOf(response), Not(HasSubstr("root:")));
  });
}

TEST_F(HostileSourceTest, EnvironmentIsNotIncluded) {
  setenv("CUDAPERF_SECRET", "leaked-value", 1);
  for (const char* path : {"/proc/self/environ", "/proc/1/environ", "/proc/self/maps", "/proc/self/cmdline"}) {
    ForBoth("#include \"" + std::string(path) + "\"\n", [](const CompileResponse& response) {
      EXPECT_EQ(response.status(), COMPILE_STATUS_FAILED);
      EXPECT_THAT(TextOf(response), Not(AnyOf(HasSubstr("leaked-value"), HasSubstr("SOURCE_DATE_EPOCH"),
                                              HasSubstr("cudaperf-compiler"))));
    });
  }
}

TEST_F(HostileSourceTest, HostFileIsNotAssembledIn) {
  const CompileResponse response = Compile(
      Launcher("asm(\".section .rodata\\n.incbin \\\"/etc/passwd\\\"\\n.text\\n\");\n" + std::string(kHonestLauncher)));
  EXPECT_EQ(response.status(), COMPILE_STATUS_FAILED);
  EXPECT_THAT(response.program().shared_object(), Not(HasSubstr("root:")));
}

TEST_F(HostileSourceTest, EndlessDeviceIsNotRead) {
  ForBoth("#include \"/dev/zero\"\n", [](const CompileResponse& response) {
    EXPECT_THAT(response.status(), AnyOf(COMPILE_STATUS_FAILED, COMPILE_STATUS_LIMIT_EXCEEDED));
  });
}

TEST_F(HostileSourceTest, PipeIsNotWaitedFor) {
  const std::string pipe = testing::TempDir() + "/cudaperf-pipe";
  unlink(pipe.c_str());
  ASSERT_EQ(mkfifo(pipe.c_str(), 0666), 0);
  ForBoth("#include \"" + pipe + "\"\n",
          [](const CompileResponse& response) { EXPECT_EQ(response.status(), COMPILE_STATUS_FAILED); });
  unlink(pipe.c_str());
}

TEST_F(HostileSourceTest, SourceThatIncludesItselfEnds) {
  ForBoth(
      "#include __FILE__\n#include __FILE__\n",
      [](const CompileResponse& response) {
        EXPECT_THAT(response.status(),
                    AnyOf(COMPILE_STATUS_FAILED, COMPILE_STATUS_LIMIT_EXCEEDED, COMPILE_STATUS_TIMED_OUT));
        EXPECT_LE(response.log().size(), 64u << 10);
      },
      5);
}

TEST_F(HostileSourceTest, TemplateBombEnds) {
  ForBoth(
      "template <int N, int M> struct A { static constexpr int v = A<N - 1, 2 * M>::v + A<N - 1, 2 * M + 1>::v; };\n"
      "template <int M> struct A<0, M> { static constexpr int v = 1; };\n"
      "__global__ void k(int* x) { *x = A<26, 1>::v; }\n",
      [](const CompileResponse& response) {
        EXPECT_THAT(response.status(),
                    AnyOf(COMPILE_STATUS_LIMIT_EXCEEDED, COMPILE_STATUS_TIMED_OUT, COMPILE_STATUS_CRASHED));
        EXPECT_NE(response.detail(), "");
      },
      5);
}

TEST_F(HostileSourceTest, MacroBombEnds) {
  std::string source = "#define X0 1 +\n";
  for (int i = 1; i < 30; ++i) {
    const std::string last = "X" + std::to_string(i - 1) + " ";
    source += "#define X" + std::to_string(i) + " " + last + last + last + "\n";
  }
  ForBoth(
      source + "__global__ void k(int* x) { *x = X29 0; }\n",
      [](const CompileResponse& response) {
        EXPECT_NE(response.status(), COMPILE_STATUS_SUCCEEDED);
        EXPECT_NE(response.status(), worker::v1::COMPILE_STATUS_UNSPECIFIED);
      },
      5);
}

TEST_F(HostileSourceTest, FloodOfMessagesIsCut) {
  std::string source;
  for (int i = 0; i < 8000; ++i) source += "#warning " + std::string(100, 'w') + "\n";
  ForBoth(source + "__global__ void k(int* x) { *x = 1; }\n", [](const CompileResponse& response) {
    EXPECT_LE(response.log().size(), 64u << 10);
    EXPECT_LE(response.diagnostics_size(), 101);
  });
}

TEST_F(HostileSourceTest, InjectedKernelIsListed) {
  ForBoth("__global__ void k(int* x) { asm volatile(\"ret;\\n}\\n.visible .entry evil()\\n{\\n\"); }\n",
          [](const CompileResponse& response) {
            if (response.status() != COMPILE_STATUS_SUCCEEDED) return;
            bool found = false;
            for (const auto& kernel : response.kernels()) found |= kernel.name() == "evil";
            EXPECT_TRUE(found);
          });
  EXPECT_EQ(
      Compile(Device("__global__ void k(int* x) { asm volatile(\"ret;\\n}\\n.visible .entry evil()\\n{\\n\"); }\n"))
          .status(),
      COMPILE_STATUS_SUCCEEDED);
}

TEST_F(HostileSourceTest, OptionsCannotBeSmuggledIn) {
  setenv("NVCC_PREPEND_FLAGS", "--version", 1);
  setenv("NVCC_APPEND_FLAGS", "--version", 1);
  const CompileResponse response = Compile(Launcher(kHonestLauncher));
  EXPECT_EQ(response.status(), COMPILE_STATUS_SUCCEEDED) << TextOf(response);
  EXPECT_THAT(TextOf(response), Not(HasSubstr("Copyright")));
  unsetenv("NVCC_PREPEND_FLAGS");
  unsetenv("NVCC_APPEND_FLAGS");
}

TEST_F(HostileSourceTest, CallOfTheEntryPointCannotBeRedefined) {
  // The macro only renames what it can see; the exported symbol is looked for in the object.
  const CompileResponse response =
      Compile(Launcher(std::string(kHonestLauncher) + "#define cudaperf_invoke something_else\n"));
  EXPECT_EQ(response.status(), COMPILE_STATUS_FAILED);
}

}  // namespace
}  // namespace cudaperf::sandbox
