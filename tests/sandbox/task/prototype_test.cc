#include "sandbox/task/prototype.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/sandbox/task/sample_task.h"

namespace cudaperf::sandbox {
namespace {

TEST(PrototypeTest, LauncherPrototypeIsWhatPeopleWrite) {
  EXPECT_EQ(LauncherPrototype(SampleTask().cuda()),
            "extern \"C\" void saxpy(int n, float a, const float* x, float* y)");
}

TEST(PrototypeTest, InvokeCastsBuffersToPointersThatFitConstOnesToo) {
  EXPECT_EQ(InvokeSource(SampleTask().cuda(), worker::v1::SOURCE_LANGUAGE_C),
            "__attribute__((visibility(\"default\"))) void cudaperf_invoke(void** a) {\n"
            "  saxpy(*(int*)a[0], *(float*)a[1], *(float**)a[2], *(float**)a[3]);\n}\n");
}

TEST(PrototypeTest, HalfHasItsOwnNameInEachLanguage) {
  reward::v1::Task task = SampleTask();
  task.mutable_cuda()->mutable_parameters(2)->set_dtype(reward::v1::DATA_TYPE_FLOAT16);
  EXPECT_THAT(InvokeSource(task.cuda(), worker::v1::SOURCE_LANGUAGE_C), ::testing::HasSubstr("*(_Float16**)a[2]"));
  const std::string launcher = InvokeSource(task.cuda(), worker::v1::SOURCE_LANGUAGE_CUDA_LAUNCHER);
  EXPECT_THAT(launcher, ::testing::HasSubstr("#include <cuda_fp16.h>\nextern \"C\" "));
  EXPECT_THAT(launcher, ::testing::HasSubstr("*(__half**)a[2]"));
}

TEST(PrototypeTest, DeviceOnlySourceIsNotInvoked) {
  EXPECT_EQ(InvokeSource(SampleTask().cuda(), worker::v1::SOURCE_LANGUAGE_CUDA_DEVICE), "");
}

}  // namespace
}  // namespace cudaperf::sandbox
