#ifndef CUDAPERF_RANKER_CASE_TALLY_H_
#define CUDAPERF_RANKER_CASE_TALLY_H_

#include "cudaperf/reward/v1/report.pb.h"

namespace cudaperf::ranker {

// Cases that say whether a candidate is right. Skipped ones count as failed: stopping early must not pay. Those that the
// device could not run do not count.
struct CaseTally {
  int passed = 0;
  int failed = 0;

  void Add(const reward::v1::ExecutionReport& report);

  // Cases passed over cases, 0..1: the paper's p; 0 without any.
  double passed_fraction() const { return passed + failed == 0 ? 0.0 : static_cast<double>(passed) / (passed + failed); }
};

}  // namespace cudaperf::ranker

#endif  // CUDAPERF_RANKER_CASE_TALLY_H_
