#ifndef CUDAPERF_BENCH_COUNTER_COMPARISON_H_
#define CUDAPERF_BENCH_COUNTER_COMPARISON_H_

#include <string>
#include <vector>

#include "cudaperf/reward/v1/report.pb.h"

namespace cudaperf::bench {

// One figure of a candidate as the emulated device and a GPU count it.
struct CounterComparison {
  enum class Kind { kTraffic, kArithmetic, kOther };

  std::string name;
  Kind kind = Kind::kOther;
  double emulated = 0;
  double counted = 0;

  bool IsPresent() const { return emulated != 0 || counted != 0; }
  // emulated over counted less 1; infinite when only the emulated device counted any.
  double RelativeDifference() const;
  bool AgreesWithin(double share) const;
  // Such as `load sectors +3.1 % (1031 / 1000)`.
  std::string Text() const;
};

// What is compared of two profiles of the same calls. `counted_level`: figures that a GPU does not count at that level
// are left out. Registers and launches are among them.
std::vector<CounterComparison> Compare(const reward::v1::ProfileReport& emulated,
                                       const reward::v1::ProfileReport& counted,
                                       reward::v1::ProfileLevel counted_level);

}  // namespace cudaperf::bench

#endif  // CUDAPERF_BENCH_COUNTER_COMPARISON_H_
