#include "sandbox/measure/call_time.h"

#include <algorithm>

namespace cudaperf::sandbox {

absl::Duration Span(const worker::v1::GpuRecordsResponse& records) {
  if (records.activities().empty()) return absl::ZeroDuration();
  int64_t start = records.activities(0).start_ns();
  int64_t end = records.activities(0).end_ns();
  for (const worker::v1::GpuActivity& activity : records.activities()) {
    start = std::min(start, activity.start_ns());
    end = std::max(end, activity.end_ns());
  }
  return absl::Nanoseconds(std::max<int64_t>(0, end - start));
}

absl::Duration BoundedTime(absl::Duration span, absl::Duration outer, absl::Duration idle) {
  return std::max(span, outer - idle);
}

absl::Duration LeastTime(int64_t output_bytes, int64_t l2_bytes, double peak_bytes_per_second) {
  if (peak_bytes_per_second <= 0 || output_bytes <= l2_bytes) return absl::ZeroDuration();
  return absl::Seconds(static_cast<double>(output_bytes - l2_bytes) / peak_bytes_per_second);
}

}  // namespace cudaperf::sandbox
