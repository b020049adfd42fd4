#include "sandbox/cupti/profiler_image.h"

#include <memory>

#include "gtest/gtest.h"
#include "sandbox/cupti/metric_table.h"
#include "sandbox/cupti/profiler_host.h"

namespace cudaperf::sandbox {
namespace {

class ProfilerImageTest : public ::testing::Test {
 protected:
  void SetUp() override {
    absl::StatusOr<std::unique_ptr<CuptiLibrary>> library = CuptiLibrary::Open(CUDAPERF_TOOLKIT_ROOT);
    if (!library.ok()) GTEST_SKIP() << library.status();
    library_ = *std::move(library);
  }

  std::unique_ptr<CuptiLibrary> library_;
};

TEST_F(ProfilerImageTest, HopperHasEveryMetricAndCoreTakesThreePasses) {
  const absl::StatusOr<worker::v1::ProfilerImage> image = MakeProfilerImage(*library_, "GH100", "");
  ASSERT_TRUE(image.ok()) << image.status();
  EXPECT_LE(image->core().pass_count(), 3);
  EXPECT_EQ(image->core().metrics_size(), MetricNames(reward::v1::PROFILE_LEVEL_CORE).size());
  EXPECT_EQ(image->full().metrics_size(), MetricNames(reward::v1::PROFILE_LEVEL_FULL).size());
  EXPECT_GT(image->full().pass_count(), image->core().pass_count());
}

TEST_F(ProfilerImageTest, OlderChipsKeepTheMetricsTheyHave) {
  const absl::StatusOr<worker::v1::ProfilerImage> image = MakeProfilerImage(*library_, "TU102", "");
  ASSERT_TRUE(image.ok()) << image.status();
  EXPECT_LT(image->core().metrics_size(), MetricNames(reward::v1::PROFILE_LEVEL_CORE).size());
  EXPECT_GT(image->core().metrics_size(), MetricNames(reward::v1::PROFILE_LEVEL_CORE).size() / 2);
}

TEST_F(ProfilerImageTest, UnknownChipIsRefused) {
  const absl::StatusOr<worker::v1::ProfilerImage> image = MakeProfilerImage(*library_, "ZZ999", "");
  ASSERT_FALSE(image.ok());
  EXPECT_NE(image.status().message().find("CUPTI_ERROR"), std::string::npos) << image.status();
}

TEST_F(ProfilerImageTest, MetricsAreKnownByTheirFullNamesOnly) {
  const absl::StatusOr<std::unique_ptr<ProfilerHost>> host = ProfilerHost::Create(library_.get(), "GH100", "");
  ASSERT_TRUE(host.ok()) << host.status();
  EXPECT_TRUE((*host)->Knows("dram__bytes.sum"));
  EXPECT_FALSE((*host)->Knows("dram__bytes"));
  EXPECT_FALSE((*host)->Knows("dram__cats.sum"));
}

TEST_F(ProfilerImageTest, RefusalsAreNamedAndTold) {
  const absl::Status denied = library_->Check(CUPTI_ERROR_INSUFFICIENT_PRIVILEGES, "call");
  EXPECT_EQ(denied.code(), absl::StatusCode::kPermissionDenied);
  EXPECT_EQ(denied.message(), "CUPTI_ERROR_INSUFFICIENT_PRIVILEGES (35) from call");
  EXPECT_EQ(library_->Check(CUPTI_ERROR_HARDWARE_BUSY, "call").code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(library_->Check(CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED, "call").code(),
            absl::StatusCode::kUnavailable);
  EXPECT_TRUE(library_->Check(CUPTI_SUCCESS, "call").ok());
}

}  // namespace
}  // namespace cudaperf::sandbox
