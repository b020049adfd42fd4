#include "tests/sandbox/cupti/counters_fixture.h"

#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"

namespace cudaperf::sandbox {
namespace {

using reward::v1::KernelExecution;
using reward::v1::ProfileLevel;

// The device's image, as bytes that a process of its own made.
absl::StatusOr<worker::v1::ProfilerImage> ImageOfAnotherProcess() {
  const std::string file = absl::StrCat(::testing::TempDir(), "profiler_image.", getpid());
  setenv(kImageFile, file.c_str(), 1);
  const int exit_status = RunAnew("CuptiDeviceTest.DISABLED_WritesItsImage");
  std::stringstream bytes;
  bytes << std::ifstream(file, std::ios::binary).rdbuf();
  unlink(file.c_str());
  worker::v1::ProfilerImage image;
  if (exit_status != 0 || !image.ParseFromString(bytes.str())) return absl::InternalError("the image's maker failed");
  return image;
}

}  // namespace

void PrintFigure(const std::string& what, const std::string& figure) {
  std::cout << "[ FIGURE ] " << what << ": " << figure << "\n";
}

int64_t Nanoseconds(const KernelExecution& execution) {
  return execution.hardware().duration().seconds() * 1'000'000'000 + execution.hardware().duration().nanos();
}

RangeProfiler* CountersTest::profiler_ = nullptr;

void CountersTest::SetUp() {
  CuptiDeviceTest::SetUp();
  if (IsSkipped() || profiler_ != nullptr) return;
  absl::StatusOr<worker::v1::ProfilerImage> image = ImageOfAnotherProcess();
  ASSERT_TRUE(image.ok()) << image.status();
  PrintFigure("image bytes",
              absl::StrCat(image->ByteSizeLong(), " (availability ", image->availability().size(), ", core ",
                           image->core().image().size(), ", full ", image->full().image().size(), ")"));
  PrintFigure("chip and passes", absl::StrCat(image->chip(), ", core ", image->core().pass_count(), ", full ",
                                              image->full().pass_count()));
  const absl::Time begin = absl::Now();
  absl::StatusOr<std::unique_ptr<RangeProfiler>> profiler = RangeProfiler::Prepare(&cupti(), context(), *image);
  ASSERT_TRUE(profiler.ok()) << profiler.status();
  PrintFigure("RangeProfiler::Prepare", absl::FormatDuration(absl::Now() - begin));
  profiler_ = profiler->release();
}

absl::StatusOr<KernelProfile> CountersTest::Profile(ProfileLevel level, const std::string& kernel, Shape shape,
                                                    int elements) const {
  return profiler_->Profile({.level = level}, [&] { return Run(kernel, shape, elements); });
}

KernelExecution CountersTest::Count(ProfileLevel level, const std::string& kernel, int elements) const {
  const absl::StatusOr<KernelProfile> profile = Profile(level, kernel, Shape{elements / 256, 256}, elements);
  EXPECT_TRUE(profile.ok()) << profile.status();
  if (!profile.ok()) return {};
  EXPECT_TRUE(profile->call.ok()) << profile->call;
  EXPECT_EQ(profile->executions.size(), 1);
  return profile->executions.empty() ? KernelExecution() : profile->executions[0];
}

}  // namespace cudaperf::sandbox
