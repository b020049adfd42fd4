#ifndef CUDAPERF_ANALYZERS_COUNTER_SUM_H_
#define CUDAPERF_ANALYZERS_COUNTER_SUM_H_

#include <cstdint>

#include "cudaperf/reward/v1/report.pb.h"

namespace cudaperf::analyzers {

// The sum, with negative addends as 0 and no more than half of what 64 bits hold.
int64_t SaturatedSum(int64_t a, int64_t b);

// All counters are sums over warps, so that launches add up field by field.
void AddCounters(const reward::v1::Counters& addend, reward::v1::Counters& sum);

// Of every type, tensor cores included.
double FlopCount(const reward::v1::Counters& counters);

}  // namespace cudaperf::analyzers

#endif  // CUDAPERF_ANALYZERS_COUNTER_SUM_H_
