#ifndef CUDAPERF_TESTS_SANDBOX_CUPTI_COUNTERS_FIXTURE_H_
#define CUDAPERF_TESTS_SANDBOX_CUPTI_COUNTERS_FIXTURE_H_

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "sandbox/cupti/range_profiler.h"
#include "tests/sandbox/cupti/device_fixture.h"

namespace cudaperf::sandbox {

// Where a process that makes an image for another one writes it.
inline constexpr char kImageFile[] = "CUDAPERF_PROFILER_IMAGE";

inline constexpr int kWarp = 32;
inline constexpr int kSmall = 1 << 20;

void PrintFigure(const std::string& what, const std::string& figure);

template <typename Value>
Value Median(std::vector<Value> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

int64_t Nanoseconds(const reward::v1::KernelExecution& execution);

// A profiler with an image that another process has made. Shared by the tests of a process.
class CountersTest : public CuptiDeviceTest {
 protected:
  void SetUp() override;

  absl::StatusOr<KernelProfile> Profile(reward::v1::ProfileLevel level, const std::string& kernel, Shape shape,
                                        int elements = kElements) const;

  // The counters of one kernel; an empty execution, and a failure, when there is none.
  reward::v1::KernelExecution Count(reward::v1::ProfileLevel level, const std::string& kernel,
                                    int elements = kElements) const;

  static RangeProfiler* profiler_;
};

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_TESTS_SANDBOX_CUPTI_COUNTERS_FIXTURE_H_
