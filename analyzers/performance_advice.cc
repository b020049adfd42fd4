#include "analyzers/performance_advice.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "analyzers/gpu_sheet.h"
#include "analyzers/launch_time.h"

namespace cudaperf::analyzers {
namespace {

using reward::v1::Counters;
using reward::v1::Evaluation;
using reward::v1::FeedbackItem;
using reward::v1::KernelExecution;
using reward::v1::ProfileReport;

// What is below these is noise, not worth a turn of the model.
constexpr double kWorthwhileWaste = 1.25;
constexpr double kWorthwhileShare = 0.05;
constexpr double kWorthwhileConflicts = 0.25;
constexpr double kWorthwhileDivergence = 0.1;
constexpr double kLowOccupancy = 0.5;
constexpr double kLowUtilization = 0.8;
constexpr double kManyReuses = 8;
// Items about the resource that limits the candidate come first.
constexpr double kLimiterBonus = 10;

// Advice with its rank, highest first.
class AdviceList {
 public:
  explicit AdviceList(std::string limiter) : limiter_(std::move(limiter)) {}

  void Add(double weight, std::initializer_list<const char*> resources, const char* topic, int32_t line,
           std::string message) {
    const bool limits = std::find(resources.begin(), resources.end(), limiter_) != resources.end();
    FeedbackItem item;
    item.set_topic(topic);
    item.set_line(line);
    item.set_message(std::move(message));
    ranked_.emplace_back(weight + (limits ? kLimiterBonus : 0), std::move(item));
  }

  const std::string& limiter() const { return limiter_; }

  std::vector<FeedbackItem> Take() {
    std::stable_sort(ranked_.begin(), ranked_.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    std::vector<FeedbackItem> items;
    for (auto& [weight, item] : ranked_) items.push_back(std::move(item));
    return items;
  }

 private:
  std::string limiter_;
  std::vector<std::pair<double, FeedbackItem>> ranked_;
};

// One source line over all launches.
struct SourceLine {
  int32_t line = 0;
  double sectors = 0;
  double ideal_sectors = 0;
  double requests = 0;
  double shared_requests = 0;
  double conflicts = 0;
  double branches = 0;
  double divergent_branches = 0;
  double atomic_lanes = 0;
  double local_bytes = 0;
  std::optional<int64_t> stride;
};

// One launch and its part of the modelled time of all.
struct LaunchShare {
  const KernelExecution* execution;
  double share = 0;
};

double Share(double part, double whole) { return whole > 0 ? part / whole : 0; }

// Shares are 0 without a data sheet.
std::vector<LaunchShare> ShareOut(const ProfileReport& profile, const std::optional<GpuSheet>& gpu) {
  std::vector<LaunchShare> launches;
  double total = 0;
  for (const KernelExecution& execution : profile.executions()) {
    LaunchShare& launch = launches.emplace_back(LaunchShare{.execution = &execution});
    if (!gpu.has_value()) continue;
    const auto time = ModelLaunch(execution, *gpu);
    if (time.ok()) launch.share = time->seconds;
    total += launch.share;
  }
  for (LaunchShare& launch : launches) launch.share = Share(launch.share, total);
  return launches;
}

std::vector<SourceLine> GatherLines(const ProfileReport& profile) {
  std::map<int32_t, SourceLine> lines;
  for (const KernelExecution& execution : profile.executions()) {
    for (const reward::v1::LineCounters& entry : execution.lines()) {
      const std::string file = entry.file().substr(entry.file().rfind('/') + 1);
      if (entry.line() <= 0 || (!file.empty() && file != "candidate.cu")) continue;
      const Counters& counters = entry.counters();
      SourceLine& line = lines[entry.line()];
      line.line = entry.line();
      line.sectors += static_cast<double>(counters.global_load_sector_count()) + counters.global_store_sector_count();
      line.ideal_sectors +=
          static_cast<double>(counters.global_load_ideal_sector_count()) + counters.global_store_ideal_sector_count();
      line.requests +=
          static_cast<double>(counters.global_load_request_count()) + counters.global_store_request_count();
      line.shared_requests +=
          static_cast<double>(counters.shared_load_request_count()) + counters.shared_store_request_count();
      line.conflicts += counters.shared_bank_conflict_count();
      line.branches += counters.branch_count();
      line.divergent_branches += counters.divergent_branch_count();
      line.atomic_lanes += counters.global_atomic_thread_count();
      line.local_bytes += counters.local_bytes();
      if (entry.has_lane_stride_bytes()) line.stride = entry.lane_stride_bytes();
    }
  }
  std::vector<SourceLine> gathered;
  for (const auto& [number, line] : lines) gathered.push_back(line);
  return gathered;
}

std::string StrideWords(const SourceLine& line) {
  if (!line.stride.has_value()) return "; neighbouring lanes access addresses without a fixed distance";
  return absl::StrCat("; neighbouring lanes are ", std::abs(*line.stride), " bytes apart");
}

void AdviseCoalescing(const std::vector<SourceLine>& lines, const ProfileReport& profile, AdviceList& advice) {
  const Counters& counters = profile.counters();
  const double all_sectors =
      static_cast<double>(counters.global_load_sector_count()) + counters.global_store_sector_count();
  for (const SourceLine& line : lines) {
    const double excess = line.sectors - line.ideal_sectors;
    if (line.requests <= 0 || line.sectors < kWorthwhileWaste * line.ideal_sectors) continue;
    if (Share(excess, all_sectors) < kWorthwhileShare) continue;
    std::string message = absl::StrFormat("%.1f sectors per request, ideal %.1f", line.sectors / line.requests,
                                          line.ideal_sectors / line.requests);
    absl::StrAppend(&message, StrideWords(line),
                    absl::StrFormat(" (%.0f %% of all sectors)", 100 * Share(line.sectors, all_sectors)));
    if (line.stride.has_value() && *line.stride != 0) {
      absl::StrAppend(&message,
                      ". Let neighbouring threads (threadIdx.x) access neighbouring elements, or go through a tile in "
                      "shared memory");
    }
    advice.Add(5 + Share(excess, all_sectors), {"dram bandwidth", "l2 bandwidth", "l1 throughput"}, "memory", line.line,
               message);
  }
}

void AdviseReuse(const ProfileReport& profile, AdviceList& advice) {
  const Counters& counters = profile.counters();
  const double reuse = Share(counters.global_load_sector_count(), counters.global_unique_load_sector_count());
  const bool memory_bound = advice.limiter() == "l1 throughput" || advice.limiter() == "l2 bandwidth" ||
                            advice.limiter() == "dram bandwidth" || advice.limiter() == "latency";
  if (reuse < kManyReuses || !memory_bound) return;
  advice.Add(2, {"l1 throughput", "l2 bandwidth"}, "memory", 0,
             absl::StrFormat(
                 "every distinct sector is loaded %.0f times from global memory. Keep what several threads need in "
                 "shared memory, and what one thread needs again in registers",
                 reuse));
}

void AdviseBankConflicts(const std::vector<SourceLine>& lines, AdviceList& advice) {
  for (const SourceLine& line : lines) {
    const double extra = Share(line.conflicts, line.shared_requests);
    if (extra < kWorthwhileConflicts) continue;
    std::string message = absl::StrFormat("%.0f-way bank conflicts: %.1f extra passes per shared memory request",
                                          std::ceil(extra + 1), extra);
    if (extra > 1.5) {
      absl::StrAppend(&message,
                      ". If lanes walk down a column of a tile, pad its rows by one element, such as [32][33]");
    }
    advice.Add(3 + extra / 32, {"shared memory"}, "shared memory", line.line, message);
  }
}

void AdviseDivergence(const std::vector<SourceLine>& lines, const ProfileReport& profile, AdviceList& advice) {
  if (profile.lane_utilization() <= 0 || profile.lane_utilization() >= kLowUtilization) return;
  const double divergent = profile.counters().divergent_branch_count();
  bool located = false;
  for (const SourceLine& line : lines) {
    const double rate = Share(line.divergent_branches, line.branches);
    if (rate < kWorthwhileDivergence || Share(line.divergent_branches, divergent) < 0.2) continue;
    located = true;
    advice.Add(2 + Share(line.divergent_branches, divergent), {"issue"}, "divergence", line.line,
               absl::StrFormat(
                   "%.0f %% of the branches split their warp; over the whole kernel %.1f of 32 lanes are active on "
                   "average. Let whole warps take the same side",
                   100 * rate, 32 * profile.lane_utilization()));
  }
  if (located) return;
  std::string message = absl::StrFormat("%.1f of 32 lanes are active on average", 32 * profile.lane_utilization());
  for (const KernelExecution& execution : profile.executions()) {
    int64_t threads = 1;
    for (const int32_t extent : execution.block()) threads *= std::clamp(extent, 1, 1024);
    if (threads % 32 == 0) continue;
    absl::StrAppend(&message, ". Blocks of ", threads,
                    " threads leave lanes of their last warp empty: use a multiple of 32");
    break;
  }
  advice.Add(2, {"issue"}, "divergence", 0, message);
}

const char* OccupancyRemedy(const std::string& limiter) {
  if (limiter == "registers")
    return "use fewer registers per thread (smaller unrolling, __launch_bounds__) or smaller blocks";
  if (limiter == "shared memory") return "use less shared memory per block";
  if (limiter == "blocks") return "use larger blocks";
  return "use a block size that divides the multiprocessor's threads evenly";
}

void AdviseOccupancy(const Evaluation& evidence, AdviceList& advice) {
  std::vector<std::string> seen;
  for (const reward::v1::LaunchOccupancy& launch : evidence.analysis().launch_occupancies()) {
    const reward::v1::Occupancy& occupancy = launch.occupancy();
    if (occupancy.theoretical() >= kLowOccupancy || occupancy.theoretical() <= 0) continue;
    if (std::find(seen.begin(), seen.end(), launch.kernel()) != seen.end()) continue;
    seen.push_back(launch.kernel());
    std::string message = absl::StrFormat(
        "occupancy of %s is at most %.0f %%, limited by %s (%d threads and %d bytes of shared memory per block)",
        launch.kernel(), 100 * occupancy.theoretical(), occupancy.limiter(), launch.threads_per_block(),
        launch.shared_bytes_per_block());
    // Few resident warps hurt only where latency has to be hidden.
    if (advice.limiter() == "latency") absl::StrAppend(&message, ": ", OccupancyRemedy(occupancy.limiter()));
    advice.Add(1, {"latency"}, "occupancy", 0, message);
  }
}

void AdviseSpills(const Evaluation& evidence, AdviceList& advice) {
  for (const reward::v1::KernelResources& kernel : evidence.compile().kernels()) {
    if (kernel.spill_store_bytes() + kernel.spill_load_bytes() <= 0) continue;
    advice.Add(2.5, {"l1 throughput", "latency"}, "spills", 0,
               absl::StrCat(kernel.demangled_name().empty() ? kernel.name() : kernel.demangled_name(),
                            " spills registers: ", kernel.spill_store_bytes(), " bytes stored and ",
                            kernel.spill_load_bytes(), " loaded per thread with ", kernel.register_count(),
                            " registers. Keep fewer values alive at once"));
  }
}

void AdviseAtomics(const std::vector<SourceLine>& lines, const ProfileReport& profile, AdviceList& advice) {
  const double atomics = profile.counters().global_atomic_thread_count();
  if (atomics <= 0 || advice.limiter() != "atomics") return;
  for (const SourceLine& line : lines) {
    if (Share(line.atomic_lanes, atomics) < 0.2) continue;
    advice.Add(4, {"atomics"}, "atomics", line.line,
               absl::StrFormat(
                   "%.0f atomic operations on global memory serialise. Combine within the warp (__shfl_down_sync) and "
                   "the block (shared memory) first, then do one per block",
                   line.atomic_lanes));
  }
}

void AdviseLaunches(const std::vector<LaunchShare>& launches, const std::optional<GpuSheet>& gpu, AdviceList& advice) {
  if (advice.limiter() == "launch" && launches.size() > 1) {
    advice.Add(4, {"launch"}, "launch", 0,
               absl::StrCat(launches.size(), " kernel launches cost more than the work in them: fuse them"));
  }
  if (!gpu.has_value()) return;
  for (const LaunchShare& launch : launches) {
    int64_t blocks = 1;
    for (const int32_t extent : launch.execution->grid()) blocks *= std::max(extent, 1);
    // Small work has few blocks by nature: what counts is that most of the time is spent in them.
    if (blocks >= gpu->multiprocessor_count || launch.share < 0.5 || advice.limiter() == "launch") continue;
    advice.Add(3, {"latency", "l1 throughput", "issue", "shared memory"}, "parallelism", 0,
               absl::StrCat(launch.execution->kernel(), " runs ", blocks, blocks == 1 ? " block" : " blocks", " on ",
                            gpu->multiprocessor_count, " multiprocessors: split the work over more blocks"));
  }
}

void AdviseTransfers(const ProfileReport& profile, AdviceList& advice) {
  const reward::v1::Transfers& transfers = profile.transfers();
  const int64_t count = transfers.host_to_device_count() + transfers.device_to_host_count();
  if (count <= 0) return;
  std::string message = absl::StrCat("copies ", transfers.host_to_device_bytes(), " bytes to the device in ",
                                     transfers.host_to_device_count(), " and ", transfers.device_to_host_bytes(),
                                     " bytes back in ", transfers.device_to_host_count(), " transfers");
  if (advice.limiter() == "transfer")
    absl::StrAppend(&message, "; these cost most of the time: copy each buffer once, whole");
  advice.Add(1, {"transfer"}, "transfer", 0, message);
}

void AdviseHostWork(const Evaluation& evidence, AdviceList& advice) {
  double most = 0;
  for (const reward::v1::CaseResult& result : evidence.verify().cases()) {
    most = std::max(most, result.host_duration().seconds() * 1e3 + result.host_duration().nanos() * 1e-6);
  }
  if (most <= 0) return;
  advice.Add(1, {"host"}, "host", 0,
             absl::StrFormat("host code computes for %.1f ms beside its kernels, which counts as its time: do the work on "
                             "the device",
                             most));
}

void AdvisePrecision(const reward::v1::CudaTask& task, const ProfileReport& profile, AdviceList& advice) {
  if (profile.counters().flop_fp64_count() <= 0) return;
  for (const reward::v1::Parameter& parameter : task.parameters()) {
    if (parameter.dtype() == reward::v1::DATA_TYPE_FLOAT64) return;
  }
  advice.Add(
      2.5, {"fp64"}, "precision", 0,
      absl::StrCat(profile.counters().flop_fp64_count(),
                   " double precision operations in a task without doubles. A literal without suffix f (0.5 instead of "
                   "0.5f) or a double function (exp instead of expf) makes them"));
}

void AdviseWidth(const Evaluation& evidence, AdviceList& advice) {
  const ProfileReport& profile = evidence.profile();
  const Counters& counters = profile.counters();
  const double per_request = Share(counters.global_load_bytes(), 32.0 * counters.global_load_request_count());
  if (advice.limiter() != "latency" || profile.coalescing() < 0.9 || per_request <= 0 || per_request > 4) return;
  advice.Add(2, {"latency"}, "memory", 0,
             absl::StrFormat(
                 "loads are packed but only %.0f bytes wide, and the time goes into waiting for them. Give each thread "
                 "several independent loads at once: float4, or unrolled",
                 per_request));
}

void AddSourceWarnings(const Evaluation& evidence, AdviceList& advice) {
  for (const reward::v1::SourceFinding& finding : evidence.analysis().source_findings()) {
    if (!finding.rejects()) advice.Add(0.5, {}, "rule", finding.line(), finding.message());
  }
}

// Where the time goes when there are several launches.
void DescribeLaunches(const std::vector<LaunchShare>& launches, AdviceList& advice) {
  if (launches.size() < 2) return;
  std::map<std::string, std::pair<double, int>> kernels;
  for (const LaunchShare& launch : launches) {
    kernels[launch.execution->kernel()].first += launch.share;
    kernels[launch.execution->kernel()].second += 1;
  }
  std::vector<std::pair<std::string, std::pair<double, int>>> ordered(kernels.begin(), kernels.end());
  std::stable_sort(ordered.begin(), ordered.end(),
                   [](const auto& a, const auto& b) { return a.second.first > b.second.first; });
  std::string message = "time on the device goes to ";
  for (size_t i = 0; i < std::min<size_t>(ordered.size(), 4); ++i) {
    const auto& [kernel, cost] = ordered[i];
    absl::StrAppend(&message, i > 0 ? ", " : "", kernel, absl::StrFormat(" %.0f %%", 100 * cost.first));
    if (cost.second > 1) absl::StrAppend(&message, " (", cost.second, " launches)");
  }
  advice.Add(8, {}, "speed", 0, message);
}

// What the candidate is limited by in the case that costs it most.
std::string LimiterOf(const reward::v1::TimingReport& timing) {
  double most = -1;
  std::string limiter;
  for (const reward::v1::CaseTiming& timed : timing.cases()) {
    const double seconds =
        static_cast<double>(timed.candidate().median().seconds()) + timed.candidate().median().nanos() * 1e-9;
    if (seconds > most) {
      most = seconds;
      limiter = timed.limiter();
    }
  }
  return limiter;
}

}  // namespace

std::vector<FeedbackItem> AdvisePerformance(const reward::v1::CudaTask& task, const Evaluation& evidence) {
  const ProfileReport& profile = evidence.profile();
  AdviceList advice(LimiterOf(evidence.timing()));
  const auto sheet = FindGpuSheet(evidence.timing().gpu());
  const std::optional<GpuSheet> gpu = sheet.ok() ? std::optional<GpuSheet>(*sheet) : std::nullopt;
  const std::vector<SourceLine> lines = GatherLines(profile);
  const std::vector<LaunchShare> launches = ShareOut(profile, gpu);
  if (gpu.has_value()) DescribeLaunches(launches, advice);
  AdviseCoalescing(lines, profile, advice);
  AdviseReuse(profile, advice);
  AdviseBankConflicts(lines, advice);
  AdviseDivergence(lines, profile, advice);
  AdviseOccupancy(evidence, advice);
  AdviseSpills(evidence, advice);
  AdviseAtomics(lines, profile, advice);
  AdviseLaunches(launches, gpu, advice);
  AdviseTransfers(profile, advice);
  AdviseHostWork(evidence, advice);
  AdvisePrecision(task, profile, advice);
  AdviseWidth(evidence, advice);
  AddSourceWarnings(evidence, advice);
  return advice.Take();
}

}  // namespace cudaperf::analyzers
