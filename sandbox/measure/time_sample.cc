#include "sandbox/measure/time_sample.h"

#include <algorithm>
#include <cmath>

#include "proto/duration.h"

namespace cudaperf::sandbox {
namespace {

std::vector<absl::Duration> Sorted(std::vector<absl::Duration> times) {
  std::sort(times.begin(), times.end());
  return times;
}

// How many order statistics, the inner one included, lie to each side of a 95 % interval of the median of `count`
// values: the largest k with P(fewer than k of them are below the median) <= 2.5 %; 0 when there is none.
size_t OrderStatisticsBeyond(size_t count) {
  double probability = std::pow(0.5, static_cast<double>(count));
  double sum = 0;
  for (size_t k = 0; k < count; ++k) {
    sum += probability;
    if (sum > 0.025) return k;
    probability *= static_cast<double>(count - k) / static_cast<double>(k + 1);
  }
  return 0;
}

}  // namespace

absl::Duration TimeSample::Quantile(double share) const {
  if (times_.empty()) return absl::ZeroDuration();
  const std::vector<absl::Duration> sorted = Sorted(times_);
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto low = static_cast<size_t>(place);
  const size_t high = std::min(low + 1, sorted.size() - 1);
  return sorted[low] + (sorted[high] - sorted[low]) * (place - static_cast<double>(low));
}

absl::Duration TimeSample::Interval() const {
  const size_t beyond = OrderStatisticsBeyond(times_.size());
  if (beyond == 0) return absl::InfiniteDuration();
  const std::vector<absl::Duration> sorted = Sorted(times_);
  return (sorted[sorted.size() - beyond] - sorted[beyond - 1]) / 2;
}

bool TimeSample::IsTight(double share) const { return Interval() <= Quantile(0.5) * share; }

reward::v1::TimeStatistics TimeSample::Summarize() const {
  reward::v1::TimeStatistics statistics;
  if (times_.empty()) return statistics;
  const absl::Duration reach = 3 * (Quantile(0.75) - Quantile(0.25));
  const absl::Duration lowest = Quantile(0.25) - reach;
  const absl::Duration highest = Quantile(0.75) + reach;
  absl::Duration sum;
  double kept_sum = 0;
  double kept_squares = 0;
  int64_t kept = 0;
  for (const absl::Duration time : times_) {
    sum += time;
    if (time < lowest || time > highest) continue;
    const double seconds = absl::ToDoubleSeconds(time);
    kept_sum += seconds;
    kept_squares += seconds * seconds;
    ++kept;
  }
  const double mean = kept_sum / static_cast<double>(kept);
  const double variance = std::max(0.0, kept_squares / static_cast<double>(kept) - mean * mean);
  *statistics.mutable_median() = proto::ToProto(Quantile(0.5));
  *statistics.mutable_mean() = proto::ToProto(sum / static_cast<int64_t>(times_.size()));
  *statistics.mutable_min() = proto::ToProto(Quantile(0));
  const absl::Duration interval = Interval();
  *statistics.mutable_interval() =
      proto::ToProto(interval == absl::InfiniteDuration() ? (Quantile(1) - Quantile(0)) / 2 : interval);
  statistics.set_iteration_count(static_cast<int64_t>(times_.size()));
  statistics.set_coefficient_of_variation(mean > 0 ? std::sqrt(variance) / mean : 0);
  return statistics;
}

}  // namespace cudaperf::sandbox
