#include "analyzers/launch_time.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "analyzers/memory_traffic.h"
#include "analyzers/occupancy.h"

namespace cudaperf::analyzers {
namespace {

using reward::v1::Counters;
using reward::v1::KernelExecution;

// Calibrated on an H200; README.md says with which kernels.
constexpr double kComputeEfficiency = 0.92;
constexpr double kL1Efficiency = 0.92;
constexpr double kDependentIssueClocks = 4;
constexpr double kLoadsInFlightPerWarp = 8;
constexpr double kSharedLatencyClocks = 30;
constexpr double kSharedInFlightPerWarp = 4;
constexpr double kBarrierClocks = 40;
constexpr double kSharedAtomicPasses = 8;
constexpr double kBlockStartSeconds = 100e-9;
// Beyond this many waves blocks finish at different times and the last wave is blurred.
constexpr double kMostDistinctWaves = 8;

double NonNegative(int64_t count) { return static_cast<double>(std::max<int64_t>(count, 0)); }

// The launch's geometry on the GPU.
struct Placement {
  double blocks = 0;
  double warps = 0;
  // Multiprocessors with a block, and how much more the busiest one has than the mean of them.
  double busy_multiprocessors = 0;
  double imbalance = 1;
  double waves = 0;
};

Placement PlaceLaunch(const KernelExecution& execution, const GpuSheet& gpu, int active_blocks) {
  Placement placement;
  placement.blocks = 1;
  for (const int32_t extent : execution.grid()) placement.blocks *= std::max(extent, 1);
  placement.warps = placement.blocks * std::ceil(static_cast<double>(ShapeOf(execution).threads) / 32);
  placement.busy_multiprocessors = std::min<double>(gpu.multiprocessor_count, placement.blocks);
  const double per_multiprocessor = placement.blocks / placement.busy_multiprocessors;
  // Blocks that wait are handed to whoever is free, so that only resident ones are distributed unevenly.
  if (per_multiprocessor <= active_blocks) placement.imbalance = std::ceil(per_multiprocessor) / per_multiprocessor;
  const double waves = placement.blocks / (static_cast<double>(gpu.multiprocessor_count) * active_blocks);
  placement.waves = waves <= kMostDistinctWaves ? std::ceil(waves) : waves + 0.5;
  return placement;
}

// Seconds of `events` that each busy multiprocessor retires at `per_clock`.
double OnMultiprocessors(double events, double per_clock, const Placement& placement, const GpuSheet& gpu) {
  return events * placement.imbalance / (per_clock * placement.busy_multiprocessors * gpu.clock_hz);
}

// Seconds of `flops` where a full GPU does `peak` a second.
double Arithmetic(int64_t flops, double peak, const Placement& placement, const GpuSheet& gpu) {
  const double share = placement.busy_multiprocessors / gpu.multiprocessor_count;
  return NonNegative(flops) * placement.imbalance / (peak * kComputeEfficiency * share);
}

double LoadLatency(const Counters& counters, const GpuSheet& gpu) {
  const double sectors = NonNegative(counters.global_load_sector_count());
  if (sectors == 0) return 0;
  const double cold = std::min(NonNegative(counters.global_unique_load_sector_count()) / sectors, 1.0);
  return cold * gpu.dram_latency_seconds + (1 - cold) * gpu.l2_latency_seconds;
}

// Time of the longest warp when nothing but its own dependences hold it up.
double CriticalPath(const KernelExecution& execution, const Placement& placement, const GpuSheet& gpu) {
  const Counters& counters = execution.counters();
  const double mean_instructions = std::max(NonNegative(counters.warp_instruction_count()) / placement.warps, 1.0);
  const double longest = std::max(NonNegative(execution.longest_warp_instruction_count()), mean_instructions);
  // The longest warp is taken to have the mean warp's mix.
  const double warps_worth = longest / mean_instructions / placement.warps;
  const auto per_warp = [&](double count) { return count * warps_worth; };

  const double loads =
      per_warp(NonNegative(counters.global_load_request_count()) + NonNegative(counters.local_request_count()));
  const double shared =
      per_warp(NonNegative(counters.shared_load_request_count()) + NonNegative(counters.shuffle_count()));
  const double barriers = per_warp(NonNegative(counters.barrier_count()));
  const double memory_waits = loads > 0 ? std::max(loads / kLoadsInFlightPerWarp, 1.0) : 0;
  const double clocks = longest * kDependentIssueClocks + shared * kSharedLatencyClocks / kSharedInFlightPerWarp +
                        barriers * kBarrierClocks;
  return kBlockStartSeconds + clocks / gpu.clock_hz + memory_waits * LoadLatency(counters, gpu);
}

double GlobalAtomics(const Counters& counters, const GpuSheet& gpu) {
  const double operations = NonNegative(counters.global_atomic_thread_count());
  if (operations == 0) return 0;
  // How many addresses share the work is not counted; the sectors written bound it.
  const double sectors = std::max(NonNegative(counters.global_unique_store_sector_count()), 1.0);
  return operations * std::max(gpu.atomic_same_address_seconds / std::sqrt(sectors), gpu.atomic_spread_seconds);
}

double L2Seconds(const MemoryTraffic& traffic, const GpuSheet& gpu) {
  return traffic.l2_load_bytes / gpu.l2_load_bytes_per_second + traffic.l2_store_bytes / gpu.l2_store_bytes_per_second +
         traffic.l2_partial_store_bytes / gpu.l2_partial_store_bytes_per_second;
}

// What work of this kind needs on the multiprocessors and in memory when there is always a warp ready.
std::vector<TimeBound> ThroughputBounds(const KernelExecution& execution, const MemoryTraffic& traffic,
                                        const Placement& placement, const GpuSheet& gpu) {
  const Counters& counters = execution.counters();
  const double shared_passes =
      NonNegative(counters.shared_load_request_count()) + NonNegative(counters.shared_store_request_count()) +
      NonNegative(counters.shared_bank_conflict_count()) + NonNegative(counters.shuffle_count()) +
      kSharedAtomicPasses * NonNegative(counters.shared_atomic_request_count());
  const auto per_clock = [&](double events, double rate) { return OnMultiprocessors(events, rate, placement, gpu); };
  return {
      {"dram bandwidth", traffic.dram_bytes / (gpu.dram_bytes_per_second * traffic.dram_efficiency)},
      {"l2 bandwidth", L2Seconds(traffic, gpu)},
      {"l1 throughput", per_clock(traffic.l1_passes, kL1Efficiency)},
      {"shared memory", per_clock(shared_passes, 1)},
      {"issue",
       per_clock(NonNegative(counters.warp_instruction_count()), gpu.warp_instructions_per_clock * kComputeEfficiency)},
      {"fp16", Arithmetic(counters.flop_fp16_count(), gpu.fp16_flops, placement, gpu)},
      {"fp32", Arithmetic(counters.flop_fp32_count(), gpu.fp32_flops, placement, gpu)},
      {"fp64", Arithmetic(counters.flop_fp64_count(), gpu.fp64_flops, placement, gpu)},
      {"tensor", Arithmetic(counters.flop_tensor_count(), gpu.tensor_flops, placement, gpu)},
      {"integer", per_clock(NonNegative(counters.integer_operation_count()),
                            gpu.integer_operations_per_clock * kComputeEfficiency)},
      {"special functions",
       per_clock(NonNegative(counters.special_function_count()), gpu.special_functions_per_clock * kComputeEfficiency)},
      {"atomics", GlobalAtomics(counters, gpu)},
      {"launch", placement.blocks / (gpu.block_launches_per_clock * gpu.clock_hz)},
  };
}

}  // namespace

absl::StatusOr<LaunchTime> ModelLaunch(const KernelExecution& execution, const GpuSheet& gpu) {
  auto occupancy = ComputeOccupancy(gpu, ShapeOf(execution));
  if (!occupancy.ok()) return occupancy.status();
  const Placement placement = PlaceLaunch(execution, gpu, occupancy->active_blocks_per_multiprocessor());
  const MemoryTraffic traffic = EstimateTraffic(execution, gpu);

  LaunchTime time;
  time.overhead_seconds = gpu.launch_seconds;
  time.dram_bytes = traffic.dram_bytes;
  time.bounds = ThroughputBounds(execution, traffic, placement, gpu);
  // Before the first byte arrives nothing flows: every throughput bound pays one latency.
  const double fill = kBlockStartSeconds + LoadLatency(execution.counters(), gpu);
  for (TimeBound& bound : time.bounds) bound.seconds += bound.seconds > 0 ? fill : 0;
  time.bounds.push_back({"latency", CriticalPath(execution, placement, gpu) * placement.waves});
  std::stable_sort(time.bounds.begin(), time.bounds.end(),
                   [](const TimeBound& a, const TimeBound& b) { return a.seconds > b.seconds; });
  time.seconds = time.overhead_seconds + time.bounds.front().seconds;
  time.occupancy = *std::move(occupancy);
  return time;
}

}  // namespace cudaperf::analyzers
