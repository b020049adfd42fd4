#include "analyzers/hardware_profile.h"

#include <algorithm>
#include <optional>

#include "absl/time/time.h"
#include "analyzers/counter_sum.h"
#include "google/protobuf/descriptor.h"
#include "proto/duration.h"

namespace cudaperf::analyzers {
namespace {

using reward::v1::Counters;
using reward::v1::HardwareMetrics;
using reward::v1::KernelExecution;

constexpr double kBusyShare = 0.6;

// A mean over kernels that have the figure.
class WeightedMean {
 public:
  void Add(double value, double weight) {
    sum_ += value * weight;
    weight_ += weight;
  }
  std::optional<double> value() const { return weight_ > 0 ? std::optional(sum_ / weight_) : std::nullopt; }

 private:
  double sum_ = 0;
  double weight_ = 0;
};

void AverageShares(absl::Span<const KernelExecution> executions, HardwareMetrics* into) {
  const google::protobuf::Reflection* reflection = HardwareMetrics::GetReflection();
  for (int i = 0; i < HardwareMetrics::descriptor()->field_count(); ++i) {
    const google::protobuf::FieldDescriptor* field = HardwareMetrics::descriptor()->field(i);
    if (field->cpp_type() != google::protobuf::FieldDescriptor::CPPTYPE_DOUBLE) continue;
    WeightedMean mean;
    for (const KernelExecution& execution : executions) {
      if (!reflection->HasField(execution.hardware(), field)) continue;
      mean.Add(reflection->GetDouble(execution.hardware(), field),
               absl::ToDoubleSeconds(proto::FromProto(execution.hardware().duration())));
    }
    if (mean.value().has_value()) reflection->SetDouble(into, field, *mean.value());
  }
}

void AddSums(absl::Span<const KernelExecution> executions, HardwareMetrics* into) {
  absl::Duration duration;
  for (const KernelExecution& execution : executions) {
    const HardwareMetrics& metrics = execution.hardware();
    duration += proto::FromProto(metrics.duration());
    if (metrics.has_dram_bytes()) into->set_dram_bytes(into->dram_bytes() + metrics.dram_bytes());
    if (metrics.has_tensor_instruction_count()) {
      into->set_tensor_instruction_count(into->tensor_instruction_count() + metrics.tensor_instruction_count());
    }
  }
  *into->mutable_duration() = proto::ToProto(duration);
}

double Coalescing(absl::Span<const KernelExecution> executions) {
  WeightedMean mean;
  for (const KernelExecution& execution : executions) {
    const HardwareMetrics& metrics = execution.hardware();
    const Counters& counters = execution.counters();
    if (metrics.has_load_sector_utilization()) {
      mean.Add(metrics.load_sector_utilization(), static_cast<double>(counters.global_load_sector_count()));
    }
    if (metrics.has_store_sector_utilization()) {
      mean.Add(metrics.store_sector_utilization(), static_cast<double>(counters.global_store_sector_count()));
    }
  }
  // Nothing was accessed: nothing was wasted.
  return std::clamp(mean.value().value_or(1.0), 0.0, 1.0);
}

}  // namespace

reward::v1::ProfileReport SummarizeHardwareProfile(absl::Span<const KernelExecution> executions,
                                                   const reward::v1::Transfers& transfers) {
  reward::v1::ProfileReport report;
  report.set_source(reward::v1::ProfileReport::SOURCE_CUPTI);
  *report.mutable_transfers() = transfers;
  for (const KernelExecution& execution : executions) {
    AddCounters(execution.counters(), *report.mutable_counters());
    *report.add_executions() = execution;
  }
  HardwareMetrics* hardware = report.mutable_hardware();
  AverageShares(executions, hardware);
  AddSums(executions, hardware);
  report.set_coalescing(Coalescing(executions));
  report.set_occupancy(hardware->achieved_occupancy());
  report.set_lane_utilization(hardware->lane_utilization());
  if (hardware->dram_bytes() > 0) {
    report.set_arithmetic_intensity(FlopCount(report.counters()) / static_cast<double>(hardware->dram_bytes()));
  }
  if (report.counters().branch_count() > 0) {
    report.set_divergence(static_cast<double>(report.counters().divergent_branch_count()) /
                          static_cast<double>(report.counters().branch_count()));
  }
  return report;
}

std::string HardwareLimiter(const reward::v1::ProfileReport& profile) {
  const HardwareMetrics& hardware = profile.hardware();
  if (hardware.dram_throughput() >= kBusyShare && hardware.dram_throughput() >= hardware.sm_throughput()) {
    return "dram bandwidth";
  }
  return hardware.sm_throughput() >= kBusyShare ? "issue" : "latency";
}

}  // namespace cudaperf::analyzers
