#include "sandbox/cupti/metric_table.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <optional>

#include "absl/strings/string_view.h"

namespace cudaperf::sandbox {
namespace {

using reward::v1::Counters;
using reward::v1::HardwareMetrics;
using reward::v1::KernelExecution;

// Matrix instructions only: packed half arithmetic, and constants that the compiler loads by it, share the pipe.
constexpr char kTensorCycles[] =
    "sm__pipe_tensor_type_hmma_hgmma_qgmma_imma_igmma_bmma_bgmma_cycles_active.avg.pct_of_peak_sustained_elapsed";

// At both levels.
constexpr const char* kShared[] = {
    "gpu__time_duration.sum",
    "dram__bytes.sum",
    "dram__throughput.avg.pct_of_peak_sustained_elapsed",
    "sm__warps_active.avg.pct_of_peak_sustained_active",
    "sm__inst_issued.avg.pct_of_peak_sustained_elapsed",
    kTensorCycles,
    "smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio",
    "smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum",
    "l1tex__t_sector_hit_rate.pct",
    "lts__t_sector_hit_rate.pct",
    "smsp__sass_data_bytes_mem_global_op_ld.sum",
    "smsp__sass_data_bytes_mem_global_op_st.sum",
    "smsp__sass_data_bytes_mem_global_op_ldgsts.sum",
    "smsp__sass_l1tex_t_requests_pipe_lsu_mem_global_op_ldgsts.sum",
    "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ldgsts.sum",
    "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct",
    "smsp__sass_average_data_bytes_per_sector_mem_global_op_st.pct",
    "smsp__sass_inst_executed_op_shared_ld.sum",
    "smsp__sass_inst_executed_op_shared_st.sum",
    "smsp__sass_inst_executed_op_shared_atom.sum",
    "smsp__sass_inst_executed_op_global_atom.sum",
    "smsp__sass_inst_executed_op_global_red.sum",
    "smsp__sass_inst_executed_op_local.sum",
    "smsp__sass_data_bytes_mem_local.sum",
    "smsp__sass_inst_executed_op_branch.sum",
    "smsp__sass_branch_targets_threads_divergent.sum",
    "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum",
    "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum",
    "smsp__sass_thread_inst_executed_op_fmul_pred_on.sum",
    "smsp__sass_thread_inst_executed_op_dfma_pred_on.sum",
    "smsp__sass_thread_inst_executed_op_dadd_pred_on.sum",
    "smsp__sass_thread_inst_executed_op_dmul_pred_on.sum",
    "smsp__sass_thread_inst_executed_op_hfma_pred_on.sum",
    "smsp__sass_thread_inst_executed_op_hadd_pred_on.sum",
    "smsp__sass_thread_inst_executed_op_hmul_pred_on.sum",
    "smsp__sass_thread_inst_executed_op_integer_pred_on.sum",
};

// What instrumented code counts in place of hardware counters that would cost more passes.
constexpr const char* kCoreOnly[] = {
    "sm__pipe_alu_cycles_active.avg.pct_of_peak_sustained_elapsed",
    "smsp__sass_inst_executed.sum",
    "smsp__sass_thread_inst_executed.sum",
    "smsp__sass_inst_executed_op_global_ld.sum",
    "smsp__sass_inst_executed_op_global_st.sum",
    "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_st.sum",
};

constexpr const char* kFullOnly[] = {
    "sm__throughput.avg.pct_of_peak_sustained_elapsed",
    "sm__inst_executed_pipe_tensor.sum",
    "sm__inst_executed_pipe_tensor_op_hmma_type_hfma2.sum",
    "smsp__inst_executed.sum",
    "smsp__thread_inst_executed.sum",
    "smsp__thread_inst_executed_per_inst_executed.ratio",
    "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
    "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
    "smsp__thread_inst_executed_pipe_xu_pred_on.sum",
    "smsp__inst_executed_op_ldc_pred_on_any.sum",
    "smsp__ops_path_tensor_op_hmma_src_bf16_dst_fp32.sum",
    "smsp__ops_path_tensor_op_hmma_src_fp16_dst_fp16.sum",
    "smsp__ops_path_tensor_op_hmma_src_fp16_dst_fp32.sum",
    "smsp__ops_path_tensor_op_hmma_src_tf32_dst_fp32.sum",
    "smsp__ops_path_tensor_op_imma_src_int8.sum",
    "smsp__ops_path_tensor_src_fp64.sum",
};

constexpr int kSectorBytes = 32;
constexpr int kWarpLanes = 32;

// Looks values up; NaN, the ratio of nothing to nothing, is no value.
class Reader {
 public:
  explicit Reader(const MetricValues& values) : values_(values) {}

  std::optional<double> Value(absl::string_view name) const {
    const auto it = values_.find(name);
    if (it == values_.end() || std::isnan(it->second)) return std::nullopt;
    return it->second;
  }
  // The first of the names that has a value.
  std::optional<double> First(std::initializer_list<absl::string_view> names) const {
    for (absl::string_view name : names) {
      if (std::optional<double> value = Value(name)) return value;
    }
    return std::nullopt;
  }
  int64_t Count(absl::string_view name) const { return std::llround(Value(name).value_or(0)); }
  int64_t Count(std::initializer_list<absl::string_view> names) const { return std::llround(First(names).value_or(0)); }
  std::optional<double> Share(absl::string_view name) const {
    const std::optional<double> percent = Value(name);
    return percent ? std::optional<double>(*percent / 100) : std::nullopt;
  }

 private:
  const MetricValues& values_;
};

// Sectors that `bytes` fill when packed: at least one per request, never more than were moved.
int64_t IdealSectors(int64_t bytes, int64_t requests, int64_t sectors) {
  return std::min(sectors, std::max(requests, (bytes + kSectorBytes - 1) / kSectorBytes));
}

void SetGlobalMemory(const Reader& from, Counters* counters) {
  const int64_t async_bytes = from.Count("smsp__sass_data_bytes_mem_global_op_ldgsts.sum");
  counters->set_global_load_request_count(
      from.Count({"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", "smsp__sass_inst_executed_op_global_ld.sum"}) +
      from.Count("smsp__sass_l1tex_t_requests_pipe_lsu_mem_global_op_ldgsts.sum"));
  counters->set_global_load_sector_count(from.Count({"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
                                                     "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ld.sum"}) +
                                         from.Count("smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ldgsts.sum"));
  counters->set_global_load_bytes(from.Count("smsp__sass_data_bytes_mem_global_op_ld.sum") + async_bytes);
  counters->set_global_load_ideal_sector_count(IdealSectors(
      counters->global_load_bytes(), counters->global_load_request_count(), counters->global_load_sector_count()));
  counters->set_global_store_request_count(
      from.Count({"l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", "smsp__sass_inst_executed_op_global_st.sum"}));
  counters->set_global_store_sector_count(from.Count(
      {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_st.sum"}));
  counters->set_global_store_bytes(from.Count("smsp__sass_data_bytes_mem_global_op_st.sum"));
  counters->set_global_store_ideal_sector_count(IdealSectors(
      counters->global_store_bytes(), counters->global_store_request_count(), counters->global_store_sector_count()));
  counters->set_global_atomic_request_count(from.Count("smsp__sass_inst_executed_op_global_atom.sum") +
                                            from.Count("smsp__sass_inst_executed_op_global_red.sum"));
}

void SetOtherMemory(const Reader& from, Counters* counters) {
  counters->set_shared_load_request_count(from.Count("smsp__sass_inst_executed_op_shared_ld.sum"));
  counters->set_shared_store_request_count(from.Count("smsp__sass_inst_executed_op_shared_st.sum"));
  counters->set_shared_atomic_request_count(from.Count("smsp__sass_inst_executed_op_shared_atom.sum"));
  counters->set_shared_bank_conflict_count(from.Count("l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum"));
  counters->set_local_request_count(from.Count("smsp__sass_inst_executed_op_local.sum"));
  counters->set_local_bytes(from.Count("smsp__sass_data_bytes_mem_local.sum"));
  counters->set_constant_request_count(from.Count("smsp__inst_executed_op_ldc_pred_on_any.sum"));
}

void SetInstructions(const Reader& from, Counters* counters) {
  counters->set_warp_instruction_count(from.Count({"smsp__inst_executed.sum", "smsp__sass_inst_executed.sum"}));
  counters->set_thread_instruction_count(
      from.Count({"smsp__thread_inst_executed.sum", "smsp__sass_thread_inst_executed.sum"}));
  counters->set_branch_count(from.Count("smsp__sass_inst_executed_op_branch.sum"));
  counters->set_divergent_branch_count(from.Count("smsp__sass_branch_targets_threads_divergent.sum"));
  // Half precision instructions work on pairs.
  counters->set_flop_fp16_count(4 * from.Count("smsp__sass_thread_inst_executed_op_hfma_pred_on.sum") +
                                2 * from.Count("smsp__sass_thread_inst_executed_op_hadd_pred_on.sum") +
                                2 * from.Count("smsp__sass_thread_inst_executed_op_hmul_pred_on.sum"));
  counters->set_flop_fp32_count(2 * from.Count("smsp__sass_thread_inst_executed_op_ffma_pred_on.sum") +
                                from.Count("smsp__sass_thread_inst_executed_op_fadd_pred_on.sum") +
                                from.Count("smsp__sass_thread_inst_executed_op_fmul_pred_on.sum"));
  counters->set_flop_fp64_count(2 * from.Count("smsp__sass_thread_inst_executed_op_dfma_pred_on.sum") +
                                from.Count("smsp__sass_thread_inst_executed_op_dadd_pred_on.sum") +
                                from.Count("smsp__sass_thread_inst_executed_op_dmul_pred_on.sum"));
  counters->set_flop_tensor_count(from.Count("smsp__ops_path_tensor_op_hmma_src_bf16_dst_fp32.sum") +
                                  from.Count("smsp__ops_path_tensor_op_hmma_src_fp16_dst_fp16.sum") +
                                  from.Count("smsp__ops_path_tensor_op_hmma_src_fp16_dst_fp32.sum") +
                                  from.Count("smsp__ops_path_tensor_op_hmma_src_tf32_dst_fp32.sum") +
                                  from.Count("smsp__ops_path_tensor_op_imma_src_int8.sum") +
                                  from.Count("smsp__ops_path_tensor_src_fp64.sum"));
  counters->set_integer_operation_count(from.Count("smsp__sass_thread_inst_executed_op_integer_pred_on.sum"));
  counters->set_special_function_count(from.Count("smsp__thread_inst_executed_pipe_xu_pred_on.sum"));
}

// The part of sm__throughput that fits into CORE's passes; see README.md.
std::optional<double> PartialThroughput(const Reader& from) {
  std::optional<double> greatest;
  for (absl::string_view name : {absl::string_view("sm__inst_issued.avg.pct_of_peak_sustained_elapsed"),
                                 absl::string_view("sm__pipe_alu_cycles_active.avg.pct_of_peak_sustained_elapsed"),
                                 absl::string_view(kTensorCycles)}) {
    if (const std::optional<double> share = from.Share(name)) greatest = std::max(greatest.value_or(0), *share);
  }
  return greatest;
}

std::optional<double> LaneUtilization(const Reader& from, const Counters& counters) {
  if (const auto lanes = from.Value("smsp__thread_inst_executed_per_inst_executed.ratio")) return *lanes / kWarpLanes;
  if (counters.warp_instruction_count() == 0) return std::nullopt;
  return static_cast<double>(counters.thread_instruction_count()) / counters.warp_instruction_count() / kWarpLanes;
}

void SetShares(const Reader& from, HardwareMetrics* hardware) {
  if (const auto v = from.Share("sm__warps_active.avg.pct_of_peak_sustained_active"))
    hardware->set_achieved_occupancy(*v);
  if (const auto v = from.Share("dram__throughput.avg.pct_of_peak_sustained_elapsed"))
    hardware->set_dram_throughput(*v);
  if (const auto v = from.Share("l1tex__t_sector_hit_rate.pct")) hardware->set_l1_hit_rate(*v);
  if (const auto v = from.Share("lts__t_sector_hit_rate.pct")) hardware->set_l2_hit_rate(*v);
  if (const auto v = from.Share("sm__inst_issued.avg.pct_of_peak_sustained_elapsed"))
    hardware->set_issue_utilization(*v);
  if (const auto v = from.Share(kTensorCycles)) hardware->set_tensor_utilization(*v);
  if (const auto v = from.Share("smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct")) {
    hardware->set_load_sector_utilization(*v);
  }
  if (const auto v = from.Share("smsp__sass_average_data_bytes_per_sector_mem_global_op_st.pct")) {
    hardware->set_store_sector_utilization(*v);
  }
}

void SetHardware(const Reader& from, const Counters& counters, HardwareMetrics* hardware) {
  if (const auto ns = from.Value("gpu__time_duration.sum")) {
    const int64_t rounded = std::llround(*ns);
    hardware->mutable_duration()->set_seconds(rounded / 1'000'000'000);
    hardware->mutable_duration()->set_nanos(static_cast<int32_t>(rounded % 1'000'000'000));
  }
  SetShares(from, hardware);
  if (const auto v = from.Share("sm__throughput.avg.pct_of_peak_sustained_elapsed")) {
    hardware->set_sm_throughput(*v);
  } else if (const auto part = PartialThroughput(from)) {
    hardware->set_sm_throughput(*part);
  }
  if (const auto v = LaneUtilization(from, counters)) hardware->set_lane_utilization(*v);
  if (const auto v = from.Value("dram__bytes.sum")) hardware->set_dram_bytes(std::llround(*v));
  // Packed half arithmetic shares the tensor pipe, and so do the constants that the compiler loads by it.
  if (const auto v = from.Value("sm__inst_executed_pipe_tensor.sum")) {
    hardware->set_tensor_instruction_count(std::llround(*v) -
                                           from.Count("sm__inst_executed_pipe_tensor_op_hmma_type_hfma2.sum"));
  }
  if (const auto v = from.Value("smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio")) {
    hardware->set_barrier_stall(*v);
  }
  if (const auto v = from.Value("smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio")) {
    hardware->set_long_scoreboard_stall(*v);
  }
}

}  // namespace

std::vector<std::string> MetricNames(reward::v1::ProfileLevel level) {
  std::vector<std::string> names;
  // CUPTI's scheduler is greedy: in this order CORE needs a pass less than in some others.
  if (level == reward::v1::PROFILE_LEVEL_FULL) {
    names.assign(std::begin(kFullOnly), std::end(kFullOnly));
  } else {
    names.assign(std::begin(kCoreOnly), std::end(kCoreOnly));
  }
  names.insert(names.end(), std::begin(kShared), std::end(kShared));
  return names;
}

void SetExecution(const MetricValues& values, KernelExecution* execution) {
  const Reader from(values);
  Counters* counters = execution->mutable_counters();
  SetGlobalMemory(from, counters);
  SetOtherMemory(from, counters);
  SetInstructions(from, counters);
  SetHardware(from, *counters, execution->mutable_hardware());
}

}  // namespace cudaperf::sandbox
