#ifndef CUDAPERF_ANALYZERS_GPU_SHEET_H_
#define CUDAPERF_ANALYZERS_GPU_SHEET_H_

#include <cstdint>
#include <string_view>

#include "absl/status/statusor.h"
#include "absl/types/span.h"

namespace cudaperf::analyzers {

// What one GPU can do. Peaks are the vendor's; `efficiency` fields say which part of a peak well-written code reaches.
struct GpuSheet {
  // As in settings, e.g. `h200`, and as people write it.
  std::string_view name;
  std::string_view title;

  int compute_major = 0;
  int compute_minor = 0;
  int multiprocessor_count = 0;
  // Boost clock.
  double clock_hz = 0;

  double dram_bytes_per_second = 0;
  double dram_efficiency = 0;
  int64_t l2_bytes = 0;
  double l2_load_bytes_per_second = 0;
  // Whole 32-byte sectors, and sectors of which only some bytes are written.
  double l2_store_bytes_per_second = 0;
  double l2_partial_store_bytes_per_second = 0;

  // Dense, a fused multiply-add counts two.
  double fp16_flops = 0;
  double fp32_flops = 0;
  double fp64_flops = 0;
  double tensor_flops = 0;
  // Per multiprocessor and clock.
  double integer_operations_per_clock = 0;
  double special_functions_per_clock = 0;
  double warp_instructions_per_clock = 0;

  int max_threads_per_multiprocessor = 0;
  int registers_per_multiprocessor = 0;
  int64_t shared_bytes_per_multiprocessor = 0;
  int64_t shared_bytes_per_block_optin = 0;

  double dram_latency_seconds = 0;
  double l2_latency_seconds = 0;
  // From the submission of a kernel to its first block, and from block to block on the whole GPU.
  double launch_seconds = 0;
  double block_launches_per_clock = 0;

  // Pageable host memory, as a launcher receives it.
  double host_to_device_bytes_per_second = 0;
  double device_to_host_bytes_per_second = 0;
  double host_to_device_seconds = 0;
  double device_to_host_seconds = 0;

  // Serialised atomics on one address: time of one lane's operation; and the least time of one when addresses differ.
  double atomic_same_address_seconds = 0;
  double atomic_spread_seconds = 0;
};

// All sheets, static storage.
absl::Span<const GpuSheet> GpuSheets();

// NOT_FOUND lists the names there are.
absl::StatusOr<GpuSheet> FindGpuSheet(std::string_view name);

// The sheet of the GPU that its driver calls `device_name`, such as `NVIDIA H200`; NOT_FOUND when there is none.
absl::StatusOr<GpuSheet> FindGpuSheetByDeviceName(std::string_view device_name);

}  // namespace cudaperf::analyzers

#endif  // CUDAPERF_ANALYZERS_GPU_SHEET_H_
