#include "analyzers/time_model.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "analyzers/launch_time.h"

namespace cudaperf::analyzers {
namespace {

using reward::v1::CaseResult;
using reward::v1::CaseTiming;
using reward::v1::ExecutionReport;
using reward::v1::TimeStatistics;
using reward::v1::Transfers;

constexpr double kNanosecond = 1e-9;

double NonNegative(int64_t count) { return static_cast<double>(std::max<int64_t>(count, 0)); }

double TransferSeconds(const Transfers& transfers, const GpuSheet& gpu) {
  const double to_device = NonNegative(transfers.host_to_device_bytes()) / gpu.host_to_device_bytes_per_second +
                           NonNegative(transfers.host_to_device_count()) * gpu.host_to_device_seconds;
  const double to_host = NonNegative(transfers.device_to_host_bytes()) / gpu.device_to_host_bytes_per_second +
                         NonNegative(transfers.device_to_host_count()) * gpu.device_to_host_seconds;
  // Read and written.
  const double on_device =
      2 * NonNegative(transfers.device_to_device_bytes()) / (gpu.dram_bytes_per_second * gpu.dram_efficiency) +
      NonNegative(transfers.device_to_device_count()) * gpu.launch_seconds;
  const double fills = NonNegative(transfers.device_fill_bytes()) / (gpu.dram_bytes_per_second * gpu.dram_efficiency) +
                       NonNegative(transfers.device_fill_count()) * gpu.launch_seconds;
  return to_device + to_host + on_device + fills;
}

const CaseResult* FindModelCase(const ExecutionReport& report, std::string_view name) {
  for (const CaseResult& result : report.cases()) {
    if (result.case_name() == name && result.role() == reward::v1::CASE_ROLE_MODEL &&
        result.status() == reward::v1::CASE_STATUS_PASSED) {
      return &result;
    }
  }
  return nullptr;
}

void SetSeconds(google::protobuf::Duration* duration, double seconds) {
  const double nanoseconds = std::clamp(std::round(seconds / kNanosecond), 1.0, 9e18);
  const auto whole = static_cast<int64_t>(nanoseconds);
  duration->set_seconds(whole / 1'000'000'000);
  duration->set_nanos(static_cast<int32_t>(whole % 1'000'000'000));
}

TimeStatistics Statistics(double seconds) {
  TimeStatistics statistics;
  SetSeconds(statistics.mutable_median(), seconds);
  SetSeconds(statistics.mutable_mean(), seconds);
  SetSeconds(statistics.mutable_min(), seconds);
  statistics.mutable_interval();
  statistics.set_iteration_count(1);
  return statistics;
}

double Seconds(const google::protobuf::Duration& duration) {
  return NonNegative(duration.seconds()) + NonNegative(duration.nanos()) * kNanosecond;
}

// Seconds that a case's compulsory traffic and arithmetic take at the peaks, launch and transfers included.
double LeastSeconds(const CaseResult& result, const GpuSheet& gpu) {
  double bytes = 0;
  double arithmetic = 0;
  for (const reward::v1::KernelExecution& execution : result.executions()) {
    const reward::v1::Counters& counters = execution.counters();
    // A chain of launches hands its intermediate results on through memory; only one launch's traffic is compulsory.
    bytes = std::max(bytes, 32 * (NonNegative(counters.global_unique_load_sector_count()) +
                                  NonNegative(counters.global_unique_store_sector_count())));
    arithmetic += NonNegative(counters.flop_fp16_count()) / gpu.fp16_flops +
                  NonNegative(counters.flop_fp32_count()) / gpu.fp32_flops +
                  NonNegative(counters.flop_fp64_count()) / gpu.fp64_flops +
                  NonNegative(counters.flop_tensor_count()) / gpu.tensor_flops;
  }
  return gpu.launch_seconds + std::max(bytes / gpu.dram_bytes_per_second, arithmetic) +
         TransferSeconds(result.transfers(), gpu);
}

}  // namespace

absl::StatusOr<CaseTime> ModelCase(const CaseResult& result, const GpuSheet& gpu) {
  std::map<std::string, double, std::less<>> shares;
  CaseTime time;
  for (const reward::v1::KernelExecution& execution : result.executions()) {
    auto launch = ModelLaunch(execution, gpu);
    if (!launch.ok()) {
      return absl::Status(launch.status().code(), absl::StrCat(execution.kernel(), ": ", launch.status().message()));
    }
    time.seconds += launch->seconds;
    shares["launch"] += launch->overhead_seconds;
    shares[std::string(launch->bounds.front().resource)] += launch->bounds.front().seconds;
  }
  const double transfer_seconds = TransferSeconds(result.transfers(), gpu);
  time.seconds += transfer_seconds;
  shares["transfer"] += transfer_seconds;
  const double host_seconds = Seconds(result.host_duration());
  time.seconds += host_seconds;
  shares["host"] += host_seconds;
  time.limiter = std::max_element(shares.begin(), shares.end(), [](const auto& a, const auto& b) {
                   return a.second < b.second;
                 })->first;
  return time;
}

absl::StatusOr<reward::v1::TimingReport> ModelTiming(const ExecutionReport& candidate, const ExecutionReport& baseline,
                                                     const GpuSheet& gpu) {
  reward::v1::TimingReport report;
  report.set_source(reward::v1::TIMING_SOURCE_MODELED);
  report.set_gpu(std::string(gpu.name));
  double log_speedup = 0;
  for (const CaseResult& result : candidate.cases()) {
    if (FindModelCase(candidate, result.case_name()) != &result) continue;
    const CaseResult* reference = FindModelCase(baseline, result.case_name());
    if (reference == nullptr) continue;
    auto candidate_time = ModelCase(result, gpu);
    if (!candidate_time.ok()) return candidate_time.status();
    auto baseline_time = ModelCase(*reference, gpu);
    if (!baseline_time.ok()) return baseline_time.status();
    if (baseline_time->seconds <= 0) {
      return absl::FailedPreconditionError(
          absl::StrCat("the baseline does nothing on the GPU in case ", result.case_name()));
    }
    if (result.executions().empty()) {
      candidate_time =
          CaseTime{.seconds = std::max({Seconds(result.duration()), candidate_time->seconds, baseline_time->seconds}),
                   .limiter = "host"};
    }
    CaseTiming& timing = *report.add_cases();
    timing.set_case_name(result.case_name());
    *timing.mutable_candidate() = Statistics(candidate_time->seconds);
    *timing.mutable_baseline() = Statistics(baseline_time->seconds);
    timing.set_speedup(baseline_time->seconds / candidate_time->seconds);
    timing.set_limiter(candidate_time->limiter);
    const double least = result.executions().empty()
                             ? LeastSeconds(*reference, gpu)
                             : std::min(LeastSeconds(result, gpu), LeastSeconds(*reference, gpu));
    SetSeconds(timing.mutable_speed_of_light(), least);
    log_speedup += std::log(timing.speedup());
  }
  if (report.cases().empty()) {
    return absl::FailedPreconditionError("no representative case was passed by both the candidate and the baseline");
  }
  report.set_speedup(std::exp(log_speedup / report.cases_size()));
  return report;
}

}  // namespace cudaperf::analyzers
