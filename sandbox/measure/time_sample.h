#ifndef CUDAPERF_SANDBOX_MEASURE_TIME_SAMPLE_H_
#define CUDAPERF_SANDBOX_MEASURE_TIME_SAMPLE_H_

#include <vector>

#include "absl/time/time.h"
#include "cudaperf/reward/v1/report.pb.h"

namespace cudaperf::sandbox {

// Times of one program in one case.
class TimeSample {
 public:
  void Add(absl::Duration time) { times_.push_back(time); }
  size_t count() const { return times_.size(); }

  // Half the width of the distribution-free 95 % confidence interval of the median, from order statistics (David and
  // Nagaraja, Order Statistics, 7.1); infinite for fewer than six times.
  absl::Duration Interval() const;
  // True when that is within `share` of the median.
  bool IsTight(double share) const;

  // Zero without times. The coefficient of variation leaves out what lies beyond three interquartile ranges:
  // interrupts.
  reward::v1::TimeStatistics Summarize() const;

 private:
  absl::Duration Quantile(double share) const;

  std::vector<absl::Duration> times_;
};

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_MEASURE_TIME_SAMPLE_H_
