#include "analyzers/gpu_sheet.h"

#include <array>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace cudaperf::analyzers {
namespace {

constexpr int64_t kKiB = 1024;
constexpr int64_t kMiB = 1024 * kKiB;

// NVIDIA H200 SXM. Peaks, DRAM: NVIDIA H200 data sheet (4.8 TB/s; 67 TFLOPS FP32, 34 FP64, 989 FP16 tensor without
// sparsity). SMs, clock, L2 size: device properties of an H200. FP16 outside tensor cores: H100 white paper, same die.
// Threads, registers, shared memory: CUDA C++ programming guide, compute capability 9.0. Everything marked (m) was
// measured on an H200 with CUDA 13.0: see README.md, "Calibration".
constexpr GpuSheet kH200 = {
    .name = "h200",
    .title = "NVIDIA H200 SXM",
    .compute_major = 9,
    .compute_minor = 0,
    .multiprocessor_count = 132,
    .clock_hz = 1.98e9,
    .dram_bytes_per_second = 4.8e12,
    .dram_efficiency = 0.87,  // (m) float4 scale of 2^26 floats: 4.18 TB/s
    .l2_bytes = 60 * kMiB,
    .l2_load_bytes_per_second = 5.5e12,           // (m)
    .l2_store_bytes_per_second = 4.4e12,          // (m)
    .l2_partial_store_bytes_per_second = 2.2e12,  // (m) naive transpose of 8192^2 floats: 2.17 TB/s
    .fp16_flops = 133.8e12,
    .fp32_flops = 66.9e12,
    .fp64_flops = 33.5e12,
    .tensor_flops = 989e12,
    .integer_operations_per_clock = 64,  // (m) 63.6 multiply-adds
    .special_functions_per_clock = 16,   // (m) 15.9
    .warp_instructions_per_clock = 4,
    .max_threads_per_multiprocessor = 2048,
    .registers_per_multiprocessor = 65536,
    .shared_bytes_per_multiprocessor = 228 * kKiB,
    .shared_bytes_per_block_optin = 227 * kKiB,
    .dram_latency_seconds = 650e-9,             // (m)
    .l2_latency_seconds = 130e-9,               // (m)
    .launch_seconds = 2.7e-6,                   // (m) an empty kernel between two events
    .block_launches_per_clock = 0.84,           // (m) 2^20 empty blocks: 633 us
    .host_to_device_bytes_per_second = 15.9e9,  // (m) 256 MiB; pinned memory reaches 54.8 GB/s
    .device_to_host_bytes_per_second = 9.5e9,   // (m)
    .host_to_device_seconds = 9e-6,             // (m) 4 KiB
    .device_to_host_seconds = 12e-6,            // (m) 4 KiB
    .atomic_same_address_seconds = 0.73e-9,     // (m) 2^22 integer additions
    .atomic_spread_seconds = 0.011e-9,          // (m) the same over 65,536 addresses
};

// NVIDIA H100 SXM 80 GB: data sheet (3.35 TB/s HBM3; the compute of the H200's die), 50 MiB L2 (white paper). What only
// a measurement gives is taken from the H200: same die, same clock domain (estimate).
constexpr GpuSheet H100() {
  GpuSheet sheet = kH200;
  sheet.name = "h100";
  sheet.title = "NVIDIA H100 SXM";
  sheet.dram_bytes_per_second = 3.35e12;
  sheet.l2_bytes = 50 * kMiB;
  return sheet;
}

// NVIDIA A100 SXM 80 GB: data sheet (2,039 GB/s; 19.5 TFLOPS FP32, 9.7 FP64, 78 FP16, 312 FP16 tensor), A100 white
// paper (108 SMs, 1.41 GHz, 40 MiB L2), programming guide for 8.0. L2 rates, latencies, launch, transfers and atomics
// are estimates: the H200's scaled by SMs times clock, PCIe 4 instead of 5.
constexpr GpuSheet A100() {
  GpuSheet sheet = kH200;
  sheet.name = "a100";
  sheet.title = "NVIDIA A100 SXM 80 GB";
  sheet.compute_major = 8;
  sheet.multiprocessor_count = 108;
  sheet.clock_hz = 1.41e9;
  sheet.dram_bytes_per_second = 2.039e12;
  sheet.l2_bytes = 40 * kMiB;
  sheet.l2_load_bytes_per_second = 3.2e12;           // estimate
  sheet.l2_store_bytes_per_second = 2.6e12;          // estimate
  sheet.l2_partial_store_bytes_per_second = 1.3e12;  // estimate
  sheet.fp16_flops = 78e12;
  sheet.fp32_flops = 19.5e12;
  sheet.fp64_flops = 9.7e12;
  sheet.tensor_flops = 312e12;
  sheet.shared_bytes_per_multiprocessor = 164 * kKiB;
  sheet.shared_bytes_per_block_optin = 163 * kKiB;
  sheet.dram_latency_seconds = 560e-9;           // estimate
  sheet.l2_latency_seconds = 150e-9;             // estimate
  sheet.launch_seconds = 3e-6;                   // estimate
  sheet.host_to_device_bytes_per_second = 11e9;  // estimate
  sheet.device_to_host_bytes_per_second = 8e9;   // estimate
  sheet.atomic_same_address_seconds = 1.0e-9;    // estimate
  sheet.atomic_spread_seconds = 0.019e-9;        // estimate
  return sheet;
}

// NVIDIA L40S: data sheet (864 GB/s GDDR6, 91.6 TFLOPS FP32, 362 FP16 tensor without sparsity), Ada white paper (142
// SMs, 2.52 GHz boost, 96 MiB L2, FP64 at 1/64 and FP16 at 1/1 of FP32), programming guide for 8.9. The rest: estimates
// as above.
constexpr GpuSheet L40s() {
  GpuSheet sheet = kH200;
  sheet.name = "l40s";
  sheet.title = "NVIDIA L40S";
  sheet.compute_major = 8;
  sheet.compute_minor = 9;
  sheet.multiprocessor_count = 142;
  sheet.clock_hz = 2.52e9;
  sheet.dram_bytes_per_second = 864e9;
  sheet.dram_efficiency = 0.85;  // estimate
  sheet.l2_bytes = 96 * kMiB;
  sheet.l2_load_bytes_per_second = 4.0e12;           // estimate
  sheet.l2_store_bytes_per_second = 3.2e12;          // estimate
  sheet.l2_partial_store_bytes_per_second = 1.6e12;  // estimate
  sheet.fp16_flops = 91.6e12;
  sheet.fp32_flops = 91.6e12;
  sheet.fp64_flops = 1.43e12;
  sheet.tensor_flops = 362e12;
  sheet.max_threads_per_multiprocessor = 1536;
  sheet.shared_bytes_per_multiprocessor = 100 * kKiB;
  sheet.shared_bytes_per_block_optin = 99 * kKiB;
  sheet.dram_latency_seconds = 600e-9;           // estimate
  sheet.l2_latency_seconds = 120e-9;             // estimate
  sheet.launch_seconds = 3e-6;                   // estimate
  sheet.host_to_device_bytes_per_second = 11e9;  // estimate
  sheet.device_to_host_bytes_per_second = 8e9;   // estimate
  sheet.atomic_same_address_seconds = 0.6e-9;    // estimate
  sheet.atomic_spread_seconds = 0.012e-9;        // estimate
  return sheet;
}

// NVIDIA GeForce RTX 4090: Ada white paper (128 SMs, 2.52 GHz boost, 1,008 GB/s GDDR6X, 72 MiB L2, 82.6 TFLOPS FP32 and
// FP16, 1.29 FP64, 165.2 FP16 tensor with FP32 accumulation). The rest as on the L40S, the same architecture
// (estimate).
constexpr GpuSheet Rtx4090() {
  GpuSheet sheet = L40s();
  sheet.name = "rtx4090";
  sheet.title = "NVIDIA GeForce RTX 4090";
  sheet.multiprocessor_count = 128;
  sheet.dram_bytes_per_second = 1008e9;
  sheet.l2_bytes = 72 * kMiB;
  sheet.fp16_flops = 82.6e12;
  sheet.fp32_flops = 82.6e12;
  sheet.fp64_flops = 1.29e12;
  sheet.tensor_flops = 165.2e12;
  return sheet;
}

constexpr std::array<GpuSheet, 5> kSheets = {kH200, H100(), A100(), L40s(), Rtx4090()};

}  // namespace

absl::Span<const GpuSheet> GpuSheets() { return kSheets; }

absl::StatusOr<GpuSheet> FindGpuSheet(std::string_view name) {
  std::string known;
  for (const GpuSheet& sheet : kSheets) {
    if (sheet.name == name) return sheet;
    absl::StrAppend(&known, known.empty() ? "" : ", ", std::string(sheet.name));
  }
  return absl::NotFoundError(absl::StrCat("no data sheet for GPU \"", std::string(name), "\"; there are ", known));
}

}  // namespace cudaperf::analyzers
