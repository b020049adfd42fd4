#include "analyzers/profile_summary.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "analyzers/counter_sum.h"
#include "analyzers/launch_time.h"
#include "analyzers/occupancy.h"

namespace cudaperf::analyzers {
namespace {

using reward::v1::CaseResult;
using reward::v1::Counters;
using reward::v1::ExecutionReport;
using reward::v1::KernelExecution;

int64_t WorkOf(const CaseResult& result) {
  int64_t work = 0;
  for (const KernelExecution& execution : result.executions()) {
    work = SaturatedSum(work, execution.counters().thread_instruction_count());
  }
  return work;
}

const CaseResult* LargestModelCase(const ExecutionReport& report) {
  const CaseResult* largest = nullptr;
  for (const CaseResult& result : report.cases()) {
    if (result.role() != reward::v1::CASE_ROLE_MODEL || result.status() != reward::v1::CASE_STATUS_PASSED) continue;
    if (largest == nullptr || WorkOf(result) > WorkOf(*largest)) largest = &result;
  }
  return largest;
}

double Ratio(double part, double whole, double otherwise) {
  return whole > 0 ? std::clamp(part / whole, 0.0, 1.0) : otherwise;
}

void SetRatios(const Counters& counters, double dram_bytes, reward::v1::ProfileReport& profile) {
  const double ideal = static_cast<double>(counters.global_load_ideal_sector_count()) +
                       static_cast<double>(counters.global_store_ideal_sector_count());
  const double sectors = static_cast<double>(counters.global_load_sector_count()) +
                         static_cast<double>(counters.global_store_sector_count());
  profile.set_coalescing(Ratio(ideal, sectors, 1));
  profile.set_arithmetic_intensity(dram_bytes > 0 ? FlopCount(counters) / dram_bytes : 0);
  profile.set_divergence(
      Ratio(static_cast<double>(counters.divergent_branch_count()), static_cast<double>(counters.branch_count()), 0));
  profile.set_lane_utilization(Ratio(static_cast<double>(counters.thread_instruction_count()),
                                     32.0 * static_cast<double>(counters.warp_instruction_count()), 0));
}

}  // namespace

absl::StatusOr<reward::v1::ProfileReport> SummarizeProfile(const ExecutionReport& report, const GpuSheet& gpu) {
  const CaseResult* result = LargestModelCase(report);
  if (result == nullptr) return absl::FailedPreconditionError("no representative case was passed");
  reward::v1::ProfileReport profile;
  profile.set_source(reward::v1::ProfileReport::SOURCE_EMULATED);
  *profile.mutable_transfers() = result->transfers();
  double dram_bytes = 0;
  double seconds = 0;
  double occupancy_seconds = 0;
  for (const KernelExecution& execution : result->executions()) {
    const auto time = ModelLaunch(execution, gpu);
    if (!time.ok()) {
      return absl::Status(time.status().code(), absl::StrCat(execution.kernel(), ": ", time.status().message()));
    }
    AddCounters(execution.counters(), *profile.mutable_counters());
    *profile.add_executions() = execution;
    dram_bytes += time->dram_bytes;
    seconds += time->seconds;
    occupancy_seconds += time->seconds * time->occupancy.theoretical();
  }
  SetRatios(profile.counters(), dram_bytes, profile);
  profile.set_occupancy(seconds > 0 ? occupancy_seconds / seconds : 0);
  return profile;
}

std::vector<reward::v1::LaunchOccupancy> OccupanciesOf(absl::Span<const KernelExecution> executions,
                                                       const GpuSheet& gpu) {
  std::vector<reward::v1::LaunchOccupancy> occupancies;
  for (const KernelExecution& execution : executions) {
    const BlockShape shape = ShapeOf(execution);
    auto occupancy = ComputeOccupancy(gpu, shape);
    if (!occupancy.ok()) continue;
    reward::v1::LaunchOccupancy& launch = occupancies.emplace_back();
    launch.set_kernel(execution.kernel());
    launch.set_threads_per_block(static_cast<int32_t>(shape.threads));
    launch.set_shared_bytes_per_block(shape.static_shared_bytes + shape.dynamic_shared_bytes);
    *launch.mutable_occupancy() = *std::move(occupancy);
  }
  return occupancies;
}

std::vector<reward::v1::LaunchOccupancy> SummarizeOccupancy(const ExecutionReport& report, const GpuSheet& gpu) {
  const CaseResult* result = LargestModelCase(report);
  if (result == nullptr) return {};
  return OccupanciesOf(std::vector<KernelExecution>(result->executions().begin(), result->executions().end()), gpu);
}

}  // namespace cudaperf::analyzers
