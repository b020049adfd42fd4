#include "bench/counter_comparison.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "absl/strings/str_format.h"

namespace cudaperf::bench {
namespace {

using reward::v1::Counters;
using Kind = CounterComparison::Kind;

constexpr struct {
  const char* name;
  Kind kind;
  int64_t (Counters::*field)() const;
} kFigures[] = {
    {"load requests", Kind::kTraffic, &Counters::global_load_request_count},
    {"load sectors", Kind::kTraffic, &Counters::global_load_sector_count},
    {"store requests", Kind::kTraffic, &Counters::global_store_request_count},
    {"store sectors", Kind::kTraffic, &Counters::global_store_sector_count},
    {"fp16 FLOPs", Kind::kArithmetic, &Counters::flop_fp16_count},
    {"fp32 FLOPs", Kind::kArithmetic, &Counters::flop_fp32_count},
    {"fp64 FLOPs", Kind::kArithmetic, &Counters::flop_fp64_count},
    {"bank conflicts", Kind::kOther, &Counters::shared_bank_conflict_count},
    {"divergent branches", Kind::kOther, &Counters::divergent_branch_count},
};

// Launches in order, each with its registers per thread; one figure for all when the launches are not the same ones.
void AddRegisters(const reward::v1::ProfileReport& emulated, const reward::v1::ProfileReport& counted,
                  std::vector<CounterComparison>& comparisons) {
  comparisons.push_back({"launches", Kind::kOther, static_cast<double>(emulated.executions_size()),
                         static_cast<double>(counted.executions_size())});
  if (emulated.executions_size() != counted.executions_size()) return;
  CounterComparison most = {"registers", Kind::kOther};
  for (int i = 0; i < emulated.executions_size(); ++i) {
    const CounterComparison here = {"registers", Kind::kOther,
                                    static_cast<double>(emulated.executions(i).register_count()),
                                    static_cast<double>(counted.executions(i).register_count())};
    if (i == 0 || std::abs(here.RelativeDifference()) > std::abs(most.RelativeDifference())) most = here;
  }
  comparisons.push_back(most);
}

}  // namespace

double CounterComparison::RelativeDifference() const {
  if (counted != 0) return emulated / counted - 1;
  return emulated == 0 ? 0 : std::numeric_limits<double>::infinity();
}

bool CounterComparison::AgreesWithin(double share) const { return std::abs(RelativeDifference()) <= share; }

std::string CounterComparison::Text() const {
  const double difference = RelativeDifference();
  return std::isfinite(difference)
             ? absl::StrFormat("%s %+.1f %% (%.0f / %.0f)", name, 100 * difference, emulated, counted)
             : absl::StrFormat("%s (%.0f / 0)", name, emulated);
}

std::vector<CounterComparison> Compare(const reward::v1::ProfileReport& emulated,
                                       const reward::v1::ProfileReport& counted,
                                       reward::v1::ProfileLevel counted_level) {
  std::vector<CounterComparison> comparisons;
  const auto add = [&](const char* name, Kind kind, int64_t (Counters::*field)() const) {
    comparisons.push_back({name, kind, static_cast<double>((emulated.counters().*field)()),
                           static_cast<double>((counted.counters().*field)())});
  };
  for (const auto& [name, kind, field] : kFigures) add(name, kind, field);
  if (counted_level == reward::v1::PROFILE_LEVEL_FULL)
    add("tensor FLOPs", Kind::kArithmetic, &Counters::flop_tensor_count);
  AddRegisters(emulated, counted, comparisons);
  return comparisons;
}

}  // namespace cudaperf::bench
