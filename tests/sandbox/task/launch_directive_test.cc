#include "sandbox/task/launch_directive.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace cudaperf::sandbox {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(LaunchDirectiveTest, ReadsLaunchesInOrder) {
  const auto description = ParseLaunchDirectives(
      "// cudaperf: scratch float partial[ceil_div(n, 256)]\n"
      "//cudaperf: launch first<<<ceil_div(n, 256), 256>>>(n, x, partial);\n"
      "  // cudaperf: launch ns::second<float, 4><<<(ceil_div(n, 32), n), dim3(32, 8, 1), 4 * n>>>(partial, y, n - 1)\n"
      "// cudaperf: launch third<<<(n + 1) / 2, 64>>>\n"
      "__global__ void first() {}\n");
  ASSERT_TRUE(description.ok()) << description.status();
  ASSERT_EQ(description->launches.size(), 3u);
  EXPECT_EQ(description->launches[0].kernel(), "first");
  EXPECT_THAT(description->launches[0].grid(), ElementsAre("ceil_div(n, 256)"));
  EXPECT_THAT(description->launches[0].block(), ElementsAre("256"));
  EXPECT_THAT(description->launches[0].arguments(), ElementsAre("n", "x", "partial"));
  EXPECT_EQ(description->launches[1].kernel(), "ns::second<float, 4>");
  EXPECT_THAT(description->launches[1].grid(), ElementsAre("ceil_div(n, 32)", "n"));
  EXPECT_THAT(description->launches[1].block(), ElementsAre("32", "8", "1"));
  EXPECT_EQ(description->launches[1].dynamic_shared_bytes(), "4 * n");
  EXPECT_THAT(description->launches[1].arguments(), ElementsAre("partial", "y", "n - 1"));
  EXPECT_THAT(description->launches[2].grid(), ElementsAre("(n + 1) / 2"));
  EXPECT_THAT(description->launches[2].arguments(), IsEmpty());
  ASSERT_EQ(description->scratch.size(), 1u);
  EXPECT_EQ(description->scratch[0].name(), "partial");
  EXPECT_EQ(description->scratch[0].dtype(), reward::v1::DATA_TYPE_FLOAT32);
  EXPECT_EQ(description->scratch[0].extent(), "ceil_div(n, 256)");
}

std::string Error(const std::string& directive) {
  const auto description = ParseLaunchDirectives("// first\n// cudaperf: " + directive + "\n");
  EXPECT_TRUE(absl::IsInvalidArgument(description.status())) << directive;
  return std::string(description.status().message());
}

TEST(LaunchDirectiveTest, ErrorsNameTheLineAndTheForm) {
  EXPECT_EQ(Error("run k"), "line 2: a cudaperf comment is `launch ...` or `scratch ...`");
  EXPECT_THAT(Error("launch k(n)"),
              HasSubstr("line 2: write `launch kernel<<<grid, block, shared_bytes>>>(arguments)`"));
  EXPECT_THAT(Error("launch k<<<n>>>(x)"), HasSubstr("between <<< and >>> stand grid, block"));
  EXPECT_THAT(Error("launch <<<n, 1>>>(x)"), HasSubstr("the kernel's name is missing"));
  EXPECT_THAT(Error("launch k<<<n, (1,2,3,4)>>>(x)"), HasSubstr("one to three dimensions"));
  EXPECT_THAT(Error("launch k<<<n, 32>>>(x"), HasSubstr("arguments stand in parentheses"));
  EXPECT_THAT(Error("launch k<<<n, 32.5>>>(x)"), HasSubstr("a whole decimal number"));
  EXPECT_THAT(Error("launch k<<<n, 32>>>(x[1])"), HasSubstr("'[' at position 2"));
  EXPECT_THAT(Error("launch >>>k<<<"), HasSubstr("write `launch"));
  EXPECT_THAT(Error("scratch quux p[n]"), HasSubstr("unknown element type quux"));
  EXPECT_THAT(Error("scratch float p"), HasSubstr("write `scratch float name[extent]`"));
  EXPECT_THAT(Error("scratch unsigned int for[n]"), HasSubstr("`for` is no name"));
}

TEST(LaunchDirectiveTest, OwnLaunchesReplaceComments) {
  reward::v1::Candidate candidate;
  candidate.set_source("// cudaperf: launch a<<<1, 1>>>()\n");
  EXPECT_EQ(DescribeLaunches(candidate)->launches[0].kernel(), "a");
  candidate.add_launches()->set_kernel("b");
  EXPECT_EQ(DescribeLaunches(candidate)->launches[0].kernel(), "b");
}

TEST(DetectKindTest, HostFunctionOfThatNameIsALauncher) {
  EXPECT_EQ(DetectKind("__global__ void k() {}\nextern \"C\" void saxpy(int n, float* y) {\n k<<<1,1>>>(); }", "saxpy"),
            reward::v1::CANDIDATE_KIND_LAUNCHER);
}

TEST(DetectKindTest, KernelOfThatNameIsDeviceOnly) {
  EXPECT_EQ(DetectKind("// cudaperf: launch saxpy<<<1, 1>>>()\n"
                       "template <int N> __global__ void __launch_bounds__(256)\nsaxpy(int n) { if (n) { } }",
                       "saxpy"),
            reward::v1::CANDIDATE_KIND_DEVICE_ONLY);
  EXPECT_EQ(DetectKind("__global__ void saxpy(int n) {}", "saxpy"), reward::v1::CANDIDATE_KIND_DEVICE_ONLY);
}

TEST(DetectKindTest, CommentsAndStringsAreNoCode) {
  EXPECT_EQ(
      DetectKind(
          "/* void saxpy(int n) { } */\n// k<<<1,1>>>\nconst char* s = \"void saxpy() {\";\n__global__ void k() {}",
          "saxpy"),
      reward::v1::CANDIDATE_KIND_DEVICE_ONLY);
}

TEST(DetectKindTest, HostLaunchesUnderAnotherNameAreALauncherThatWillNotCompile) {
  EXPECT_EQ(DetectKind("__global__ void k() {}\nvoid other() { k<<<1,1>>>(); }", "saxpy"),
            reward::v1::CANDIDATE_KIND_LAUNCHER);
}

TEST(DetectKindTest, RepeatedNameDoesNotCostTheSquareOfTheSource) {
  std::string source;
  for (int i = 0; i < 40000; ++i) source += "saxpy(";
  EXPECT_EQ(DetectKind(source, "saxpy"), reward::v1::CANDIDATE_KIND_DEVICE_ONLY);
}

}  // namespace
}  // namespace cudaperf::sandbox
