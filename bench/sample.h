#ifndef CUDAPERF_BENCH_SAMPLE_H_
#define CUDAPERF_BENCH_SAMPLE_H_

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace cudaperf::bench {

// Values of one quantity. Every figure of an empty sample is NaN.
class Sample {
 public:
  void Add(double value) { values_.push_back(value); }
  size_t count() const { return values_.size(); }

  double Sum() const {
    double sum = 0;
    for (const double value : values_) sum += value;
    return sum;
  }
  double Mean() const { return Sum() / static_cast<double>(values_.size()); }

  // `share` 0..1, between neighbours linearly.
  double Quantile(double share) const {
    if (values_.empty()) return NAN;
    std::vector<double> sorted = values_;
    std::sort(sorted.begin(), sorted.end());
    const double place = share * static_cast<double>(sorted.size() - 1);
    const size_t below = static_cast<size_t>(place);
    const size_t above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
  }
  double Median() const { return Quantile(0.5); }

  // With n - 1; NaN for fewer than two values.
  double StandardDeviation() const {
    if (values_.size() < 2) return NAN;
    const double mean = Mean();
    double squares = 0;
    for (const double value : values_) squares += (value - mean) * (value - mean);
    return std::sqrt(squares / static_cast<double>(values_.size() - 1));
  }
  double CoefficientOfVariation() const { return StandardDeviation() / std::abs(Mean()); }

 private:
  std::vector<double> values_;
};

}  // namespace cudaperf::bench

#endif  // CUDAPERF_BENCH_SAMPLE_H_
