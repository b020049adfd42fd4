#include "analyzers/memory_traffic.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>

namespace cudaperf::analyzers {
namespace {

using reward::v1::Counters;
using reward::v1::KernelExecution;
using reward::v1::LineCounters;

constexpr double kSectorBytes = 32;
constexpr double kLineBytes = 128;
// From here on a lane stride walks down a column: the neighbouring bytes belong to warps that run at the same time.
constexpr double kColumnStrideBytes = 1024;

// One direction of global traffic.
struct Flow {
  double requests = 0;
  double sectors = 0;
  double ideal = 0;
  double unique = 0;
  // Absent: no line tells.
  std::optional<double> stride;
};

double NonNegative(int64_t count) { return static_cast<double>(std::max<int64_t>(count, 0)); }

// Lane stride of the line that moves most sectors in this direction.
std::optional<double> DominantStride(const KernelExecution& execution, int64_t (Counters::*sectors)() const) {
  double most = 0;
  std::optional<double> stride;
  for (const LineCounters& line : execution.lines()) {
    const double line_sectors = NonNegative((line.counters().*sectors)());
    if (line_sectors <= most) continue;
    most = line_sectors;
    stride.reset();
    if (line.has_lane_stride_bytes()) stride = std::abs(static_cast<double>(line.lane_stride_bytes()));
  }
  return stride;
}

Flow LoadFlow(const KernelExecution& execution) {
  const Counters& counters = execution.counters();
  return {.requests = NonNegative(counters.global_load_request_count()),
          .sectors = NonNegative(counters.global_load_sector_count()),
          .ideal = NonNegative(counters.global_load_ideal_sector_count()),
          .unique = NonNegative(counters.global_unique_load_sector_count()),
          .stride = DominantStride(execution, &Counters::global_load_sector_count)};
}

Flow StoreFlow(const KernelExecution& execution) {
  const Counters& counters = execution.counters();
  return {.requests = NonNegative(counters.global_store_request_count()),
          .sectors = NonNegative(counters.global_store_sector_count()),
          .ideal = NonNegative(counters.global_store_ideal_sector_count()),
          .unique = NonNegative(counters.global_unique_store_sector_count()),
          .stride = DominantStride(execution, &Counters::global_store_sector_count)};
}

double WarpCount(const KernelExecution& execution) {
  double threads = 1;
  double blocks = 1;
  for (const int32_t extent : execution.block()) threads *= std::max(extent, 1);
  for (const int32_t extent : execution.grid()) blocks *= std::max(extent, 1);
  return blocks * std::ceil(threads / 32);
}

// 1 when perfectly packed, 8 when each lane drags in a sector for 4 bytes.
double Waste(const Flow& flow) { return flow.ideal > 0 ? std::max(flow.sectors / flow.ideal, 1.0) : 1.0; }

// How often a scattered sector is used again before it leaves the first level cache: by later requests of the same
// warp.
double WarpReuse(const Flow& flow, double warps) { return std::clamp(flow.requests / warps, 1.0, Waste(flow)); }

// How often before it leaves the L2.
double DeviceReuse(const Flow& flow, double warps) {
  if (flow.stride.has_value() && *flow.stride >= kColumnStrideBytes) return Waste(flow);
  return WarpReuse(flow, warps);
}

double ScatteredSectors(const Flow& flow) { return std::max(flow.sectors - std::min(flow.ideal, flow.sectors), 0.0); }

double L1Passes(const Flow& flow) {
  const double mean_sectors = flow.requests > 0 ? flow.sectors / flow.requests : 0;
  const double lines_per_sector = flow.stride.has_value() ? std::clamp(*flow.stride / kLineBytes, 0.25, 1.0)
                                                          : std::clamp(mean_sectors / 32, 0.25, 1.0);
  return std::max(flow.requests, flow.sectors * lines_per_sector);
}

// The DRAM moves 64 bytes at a time: a lone sector costs two, unless its neighbour is wanted too.
double GranuleBytes(const Flow& flow) {
  if (!flow.stride.has_value()) return 2 * kSectorBytes;
  return kSectorBytes * std::clamp(*flow.stride / kSectorBytes, 1.0, 2.0);
}

// Share of scattered sectors that come too late to find theirs in the L2.
double MissShare(double footprint_bytes, double l2_bytes) {
  return std::clamp(footprint_bytes / l2_bytes - 0.5, 0.0, 1.0);
}

double ScatteredDramSectors(const Flow& flow, double warps, double miss_share) {
  const double distant = std::max(flow.sectors / DeviceReuse(flow, warps) - flow.ideal, 0.0);
  return std::min(distant, ScatteredSectors(flow)) * miss_share;
}

double LoadDramBytes(const Flow& flow, double warps, double miss_share) {
  return flow.unique * kSectorBytes + ScatteredDramSectors(flow, warps, miss_share) * GranuleBytes(flow);
}

// A partly written sector is filled from the DRAM before it is written back; a whole 64-byte granule covers that.
double StoreDramBytes(const Flow& flow, double warps, double miss_share) {
  return flow.unique * kSectorBytes + ScatteredDramSectors(flow, warps, miss_share) * 2 * kSectorBytes;
}

// Rows of DRAM are opened for less and less: 0.87 packed, 0.55 at 132 bytes, 0.32 at 4 KiB and at random, measured on
// an H200.
double ScatterEfficiency(const Flow& flow, double packed) {
  constexpr double kLineEfficiency = 0.55;
  constexpr double kPageEfficiency = 0.32;
  if (!flow.stride.has_value()) return kPageEfficiency;
  const double octave = std::log2(std::max(*flow.stride, 1.0));
  if (octave <= 6.2) return packed;
  if (octave <= 7) return packed + (kLineEfficiency - packed) * (octave - 6.2) / 0.8;
  return kLineEfficiency + (kPageEfficiency - kLineEfficiency) * std::min((octave - 7) / 5, 1.0);
}

double L2LoadSectors(const Flow& flow, double warps) {
  const double packed = std::min(flow.ideal, flow.sectors);
  // Packed traffic that is asked for again and again: caches near the lanes catch some of it; the geometric mean of all
  // and none.
  const double repeated = std::sqrt(packed * std::min(std::max(flow.unique, 1.0), packed));
  return std::min(flow.sectors, repeated + ScatteredSectors(flow) / WarpReuse(flow, warps));
}

}  // namespace

MemoryTraffic EstimateTraffic(const KernelExecution& execution, const GpuSheet& gpu) {
  const Flow loads = LoadFlow(execution);
  const Flow stores = StoreFlow(execution);
  const double warps = std::max(WarpCount(execution), 1.0);
  const double footprint = (loads.unique + stores.unique) * kSectorBytes;
  const double miss_share = MissShare(footprint, static_cast<double>(gpu.l2_bytes));

  MemoryTraffic traffic;
  const double load_bytes = LoadDramBytes(loads, warps, miss_share);
  const double store_bytes = StoreDramBytes(stores, warps, miss_share);
  traffic.dram_bytes = load_bytes + store_bytes;
  // Weighted by the scattered part of the traffic: time adds up, so efficiencies do as reciprocals.
  double needed = 0;
  for (const auto& [flow, bytes] : {std::pair(loads, load_bytes), std::pair(stores, store_bytes)}) {
    const double packed_bytes = std::min(flow.unique * kSectorBytes, bytes);
    needed +=
        packed_bytes / gpu.dram_efficiency + (bytes - packed_bytes) / ScatterEfficiency(flow, gpu.dram_efficiency);
  }
  traffic.dram_efficiency = traffic.dram_bytes > 0 ? traffic.dram_bytes / needed : gpu.dram_efficiency;

  const double local_bytes = NonNegative(execution.counters().local_bytes());
  traffic.l2_load_bytes = L2LoadSectors(loads, warps) * kSectorBytes;
  traffic.l2_store_bytes = std::min(stores.ideal, stores.sectors) * kSectorBytes;
  traffic.l2_partial_store_bytes = ScatteredSectors(stores) * kSectorBytes;
  traffic.l1_passes = L1Passes(loads) + L1Passes(stores) +
                      std::max(NonNegative(execution.counters().local_request_count()), local_bytes / kLineBytes);
  return traffic;
}

}  // namespace cudaperf::analyzers
