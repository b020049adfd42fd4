#include "sandbox/cuda/nvml.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace cudaperf::sandbox {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(StrangersTest, ThisProcessAndWhatItStartedAreNone) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    // Until the parent hangs up.
    close(ends[1]);
    char byte;
    (void)!read(ends[0], &byte, 1);
    _exit(0);
  }
  EXPECT_THAT(Strangers({getpid(), child}), IsEmpty());
  close(ends[1]);
  waitpid(child, nullptr, 0);
  close(ends[0]);
}

TEST(StrangersTest, TheParentIsOne) { EXPECT_THAT(Strangers({getppid(), getpid()}), ElementsAre(getppid())); }

TEST(NvmlTest, WithoutTheLibraryOrTheGpuThereIsNone) { EXPECT_FALSE(Nvml::Open("GPU-none").ok()); }

}  // namespace
}  // namespace cudaperf::sandbox
