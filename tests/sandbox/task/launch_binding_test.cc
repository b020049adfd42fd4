#include "sandbox/task/launch_binding.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "tests/sandbox/task/sample_task.h"

namespace cudaperf::sandbox {
namespace {

using reward::v1::KernelResources;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

KernelResources Kernel(const std::string& name, const std::string& demangled, const std::vector<std::string>& types) {
  KernelResources kernel;
  kernel.set_name(name);
  kernel.set_demangled_name(demangled);
  kernel.mutable_parameter_types()->Add(types.begin(), types.end());
  return kernel;
}

const KernelResources kSaxpy =
    Kernel("_Z5saxpyifPKfPf", "saxpy(int, float, float const*, float*)", {"u32", "f32", "u64", "u64"});

class LaunchBindingTest : public ::testing::Test {
 protected:
  absl::StatusOr<LaunchPlan> Bind(const std::string& directives) {
    const absl::StatusOr<LaunchDescription> description = ParseLaunchDirectives(directives);
    if (!description.ok()) return description.status();
    return BindLaunches(task_.cuda(), task_.cuda().cases(1), *description, kernels_);
  }
  std::string Rejection(const std::string& directives) {
    const absl::StatusOr<LaunchPlan> plan = Bind(directives);
    EXPECT_TRUE(absl::IsInvalidArgument(plan.status())) << directives;
    return std::string(plan.status().message());
  }

  reward::v1::Task task_ = SampleTask();
  std::vector<KernelResources> kernels_ = {kSaxpy};
};

TEST_F(LaunchBindingTest, RejectionsQuoteLittleOfALongText) {
  const std::string endless(100'000, 'k');
  const std::string formula(1000, 'k');
  for (const std::string& directive :
       {"// cudaperf: launch " + endless + "<<<1, 1>>>()", "// cudaperf: launch saxpy<<<" + formula + ", 1>>>()",
        "// cudaperf: launch saxpy<<<1, 1>>>(n, a, x, " + formula + ")",
        "// cudaperf: scratch float " + formula + "[" + formula + "]\n// cudaperf: launch saxpy<<<1, 1>>>()"}) {
    const std::string rejection = Rejection(directive);
    EXPECT_LT(rejection.size(), 2000u) << directive.substr(0, 60);
    EXPECT_THAT(rejection, HasSubstr("kkk..."));
  }
  kernels_ = {Kernel("_Z" + endless, endless + "(int)", {"u32"})};
  EXPECT_LT(Rejection("// cudaperf: launch other<<<1, 1>>>()").size(), 2000u);
}

TEST_F(LaunchBindingTest, NumbersFollowFromTheCase) {
  const auto plan = Bind(
      "// cudaperf: scratch double s[2 * n]\n// cudaperf: launch saxpy<<<ceil_div(n, 256), (64, 4), n>>>(n, a, x, s)");
  ASSERT_TRUE(plan.ok()) << plan.status();
  ASSERT_EQ(plan->launches.size(), 1u);
  const BoundLaunch& launch = plan->launches[0];
  EXPECT_EQ(launch.kernel, "_Z5saxpyifPKfPf");
  EXPECT_THAT(launch.grid, ElementsAre(4, 1, 1));
  EXPECT_THAT(launch.block, ElementsAre(64, 4, 1));
  EXPECT_EQ(launch.dynamic_shared_bytes, 1000);
  EXPECT_THAT(plan->scratch_bytes, ElementsAre(16000));
  ASSERT_EQ(launch.arguments.size(), 4u);
  EXPECT_EQ(launch.arguments[0].source, BoundArgument::Source::kScalar);
  EXPECT_EQ(launch.arguments[2].source, BoundArgument::Source::kBuffer);
  EXPECT_EQ(launch.arguments[2].index, 2);
  EXPECT_EQ(launch.arguments[3].source, BoundArgument::Source::kScratch);
}

TEST_F(LaunchBindingTest, ExpressionsBecomeTheKernelsType) {
  const auto plan = Bind("// cudaperf: launch saxpy<<<1, 32>>>(n - 1, 2, x, y)");
  ASSERT_TRUE(plan.ok()) << plan.status();
  int32_t number = 0;
  ASSERT_EQ(plan->launches[0].arguments[0].bytes.size(), sizeof(number));
  std::memcpy(&number, plan->launches[0].arguments[0].bytes.data(), sizeof(number));
  EXPECT_EQ(number, 999);
  float real = 0;
  std::memcpy(&real, plan->launches[0].arguments[1].bytes.data(), sizeof(real));
  EXPECT_EQ(real, 2.0f);
}

TEST_F(LaunchBindingTest, MissingArgumentsAreTheTasksParameters) {
  const auto plan = Bind("// cudaperf: launch saxpy<<<1, 32>>>");
  ASSERT_TRUE(plan.ok()) << plan.status();
  EXPECT_EQ(plan->launches[0].arguments.size(), 4u);
}

TEST_F(LaunchBindingTest, SignatureIsNamedWhenArgumentsDoNotFit) {
  EXPECT_EQ(Rejection("// cudaperf: launch saxpy<<<1, 32>>>(n, a, x, y, n)"),
            "launch 1 (saxpy): kernel saxpy takes (u32, f32, u64, u64), 5 arguments were given");
  EXPECT_EQ(
      Rejection("// cudaperf: launch saxpy<<<1, 32>>>(x, a, x, y)"),
      "launch 1 (saxpy): kernel saxpy takes (u32, f32, u64, u64); argument 1, `x`: a buffer cannot be passed as u32");
  EXPECT_THAT(Rejection("// cudaperf: launch saxpy<<<1, 32>>>(a, a, x, y)"),
              HasSubstr("a real number cannot be passed as u32"));
  EXPECT_THAT(Rejection("// cudaperf: launch saxpy<<<1, 32>>>(n, a, z, y)"),
              HasSubstr("argument 3, `z`: unknown name z"));
  EXPECT_THAT(Rejection("// cudaperf: launch saxpy<<<1, 32>>>(5000000000, a, x, y)"),
              HasSubstr("5000000000 does not fit u32"));
}

TEST_F(LaunchBindingTest, MissingKernelSaysWhatThereIs) {
  EXPECT_EQ(Rejection("// cudaperf: launch daxpy<<<1, 32>>>"),
            "launch 1 (daxpy): there is no kernel daxpy; the source defines saxpy");
  EXPECT_THAT(Rejection(""), HasSubstr("no launch is given for saxpy: add a comment `// cudaperf: launch"));
  kernels_.push_back(Kernel("other", "other", {}));
  EXPECT_THAT(Rejection(""), HasSubstr("no launch is given for saxpy, other"));
  kernels_.clear();
  EXPECT_THAT(Rejection(""), HasSubstr("which defines no kernel"));
}

TEST_F(LaunchBindingTest, TemplatesAndNamespacesAreFoundByTheirCppNames) {
  kernels_ = {Kernel("_Z1", "void ns::scale<float, 4>(float*)", {"u64"}),
              Kernel("_Z2", "void ns::scale<double, 4>(double*)", {"u64"}),
              Kernel("_Z3", "(anonymous namespace)::copy(float const*)", {"u64"}), Kernel("plain", "plain", {"u64"})};
  EXPECT_EQ(Bind("// cudaperf: launch scale<float,4><<<1, 1>>>(x)")->launches[0].kernel, "_Z1");
  EXPECT_EQ(Bind("// cudaperf: launch ns::scale<double, 4><<<1, 1>>>(x)")->launches[0].kernel, "_Z2");
  EXPECT_EQ(Bind("// cudaperf: launch copy<<<1, 1>>>(x)")->launches[0].kernel, "_Z3");
  EXPECT_EQ(Bind("// cudaperf: launch plain<<<1, 1>>>(x)")->launches[0].kernel, "plain");
  EXPECT_THAT(Rejection("// cudaperf: launch scale<<<1, 1>>>(x)"), HasSubstr("several kernels are named scale"));
}

TEST_F(LaunchBindingTest, ShapesStayWithinTheHardware) {
  EXPECT_THAT(Rejection("// cudaperf: launch saxpy<<<n - 1000, 32>>>"),
              HasSubstr("grid of 0 x 1 x 1 blocks in case model: every dimension"));
  EXPECT_THAT(Rejection("// cudaperf: launch saxpy<<<1, 0>>>"), HasSubstr("block of 0 x 1 x 1 threads"));
  EXPECT_THAT(Rejection("// cudaperf: launch saxpy<<<1, 1025>>>"), HasSubstr("the most is 1024 x 1024 x 64"));
  EXPECT_THAT(Rejection("// cudaperf: launch saxpy<<<1, (64, 32)>>>"),
              HasSubstr("= 2048 threads in case model: the most is 1024"));
  EXPECT_THAT(Rejection("// cudaperf: launch saxpy<<<(1, 65536), 32>>>"),
              HasSubstr("the most is 2147483647 x 65535 x 65535"));
  EXPECT_THAT(Rejection("// cudaperf: launch saxpy<<<1, 32, 240000>>>"), HasSubstr("a block may have 232448"));
  EXPECT_THAT(Rejection("// cudaperf: launch saxpy<<<1, 32, 0 - 1>>>"), HasSubstr("shared memory size is -1"));
  EXPECT_TRUE(Bind("// cudaperf: launch saxpy<<<1, 32, 232448>>>").ok());
  kernels_[0].set_static_shared_bytes(16);
  EXPECT_THAT(Rejection("// cudaperf: launch saxpy<<<1, 32, 232448>>>"), HasSubstr("16 of static shared memory"));
}

TEST_F(LaunchBindingTest, RegistersBoundTheBlock) {
  kernels_[0].set_register_count(128);
  EXPECT_TRUE(Bind("// cudaperf: launch saxpy<<<1, 512>>>").ok());
  EXPECT_THAT(Rejection("// cudaperf: launch saxpy<<<1, 544>>>"),
              HasSubstr("544 threads of 128 registers each need more"));
}

TEST_F(LaunchBindingTest, ScratchNamesAreFreeAndSizesSane) {
  EXPECT_THAT(Rejection("// cudaperf: scratch int x[n]\n// cudaperf: launch saxpy<<<1, 1>>>"),
              HasSubstr("scratch x: the name is taken"));
  EXPECT_THAT(Rejection("// cudaperf: scratch int s[n - 2000]\n// cudaperf: launch saxpy<<<1, 1>>>"),
              HasSubstr("scratch s has -1000"));
}

TEST_F(LaunchBindingTest, HostMemoryNeedsALauncher) {
  task_.mutable_cuda()->set_memory_space(reward::v1::MEMORY_SPACE_HOST);
  EXPECT_THAT(Rejection("// cudaperf: launch saxpy<<<1, 1>>>"), HasSubstr("host pointers"));
}

TEST_F(LaunchBindingTest, CheckCoversEveryCase) {
  const auto description = ParseLaunchDirectives("// cudaperf: launch saxpy<<<n / 100, 32>>>");
  EXPECT_TRUE(Bind("// cudaperf: launch saxpy<<<n / 100, 32>>>").ok());
  EXPECT_THAT(std::string(CheckLaunches(task_.cuda(), *description, kernels_).message()), HasSubstr("in case tiny"));
}

TEST(ConvertScalarTest, FollowsC) {
  const int32_t minus_one = -1;
  const absl::string_view bytes(reinterpret_cast<const char*>(&minus_one), 4);
  EXPECT_EQ(*ConvertScalar(bytes, reward::v1::DATA_TYPE_INT32, "u64"), std::string(8, '\xFF'));
  EXPECT_EQ(*ConvertScalar(bytes, reward::v1::DATA_TYPE_INT32, "u8"), std::string(1, '\xFF'));
  EXPECT_EQ(*ConvertScalar(bytes, reward::v1::DATA_TYPE_UINT32, "u64"), std::string(4, '\xFF') + std::string(4, '\0'));
  const double third = 1.0 / 3;
  const float narrow = static_cast<float>(third);
  EXPECT_EQ(*ConvertScalar({reinterpret_cast<const char*>(&third), 8}, reward::v1::DATA_TYPE_FLOAT64, "f32"),
            std::string(reinterpret_cast<const char*>(&narrow), 4));
  EXPECT_EQ(*ConvertScalar("\x34\x12", reward::v1::DATA_TYPE_FLOAT16, "b8[2]"), "\x34\x12");
  EXPECT_FALSE(ConvertScalar(bytes, reward::v1::DATA_TYPE_INT32, "b8[16]").ok());
}

}  // namespace
}  // namespace cudaperf::sandbox
