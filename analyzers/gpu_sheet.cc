#include "analyzers/gpu_sheet.h"

#include <array>
#include <cstddef>
#include <string>

#include <algorithm>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"

namespace cudaperf::analyzers {
namespace {

constexpr int64_t kKiB = 1024;
constexpr int64_t kMiB = 1024 * kKiB;

// One column per GPU, and what a row's figures are, by column: d from the vendor, m measured on an H200 with CUDA 13.0
// (README.md, "Calibration"), e estimated.
//
// H200 SXM: data sheet (4.8 TB/s; 67 TFLOPS FP32, 34 FP64, 989 FP16 tensor without sparsity); SMs, clock, L2 size are
// device properties; FP16 outside tensor cores from the H100 white paper, same die. Threads, registers, shared memory:
// CUDA C++ programming guide, by compute capability, here and below.
// H100 SXM 80 GB: data sheet (3.35 TB/s HBM3; the compute of the H200's die), 50 MiB L2 (white paper). Estimates: the
// H200's, same die, same clock domain.
// A100 SXM 80 GB: data sheet (2,039 GB/s; 19.5 TFLOPS FP32, 9.7 FP64, 78 FP16, 312 FP16 tensor), A100 white paper (108
// SMs, 1.41 GHz, 40 MiB L2). Estimates: the H200's scaled by SMs times clock, PCIe 4 instead of 5.
// L40S: data sheet (864 GB/s GDDR6, 91.6 TFLOPS FP32, 362 FP16 tensor without sparsity), Ada white paper (142 SMs, 2.52
// GHz boost, 96 MiB L2, FP64 at 1/64 and FP16 at 1/1 of FP32). Estimates: as for the A100.
// GeForce RTX 4090: Ada white paper (128 SMs, 2.52 GHz boost, 1,008 GB/s GDDR6X, 72 MiB L2, 82.6 TFLOPS FP32 and FP16,
// 1.29 FP64, 165.2 FP16 tensor with FP32 accumulation). Estimates: the L40S's, same architecture.
constexpr size_t kGpuCount = 5;
using Sheets = std::array<GpuSheet, kGpuCount>;

template <typename T>
constexpr void Row(Sheets& sheets, T GpuSheet::*quantity, const std::array<T, kGpuCount>& figures) {
  for (size_t gpu = 0; gpu < kGpuCount; ++gpu) sheets[gpu].*quantity = figures[gpu];
}

constexpr Sheets FillSheets() {
  Sheets s;
  Row(s, &GpuSheet::name, {"h200", "h100", "a100", "l40s", "rtx4090"});
  Row(s, &GpuSheet::title,
      {"NVIDIA H200 SXM", "NVIDIA H100 SXM", "NVIDIA A100 SXM 80 GB", "NVIDIA L40S", "NVIDIA GeForce RTX 4090"});
  Row(s, &GpuSheet::compute_major, {9, 9, 8, 8, 8});                                     // ddddd
  Row(s, &GpuSheet::compute_minor, {0, 0, 0, 9, 9});                                     // ddddd
  Row(s, &GpuSheet::multiprocessor_count, {132, 132, 108, 142, 128});                    // ddddd
  Row(s, &GpuSheet::clock_hz, {1.98e9, 1.98e9, 1.41e9, 2.52e9, 2.52e9});                 // ddddd
  Row(s, &GpuSheet::dram_bytes_per_second, {4.8e12, 3.35e12, 2.039e12, 864e9, 1008e9});  // ddddd
  Row(s, &GpuSheet::dram_efficiency, {0.87, 0.87, 0.87, 0.85, 0.85});  // meeee float4 scale of 2^26 floats: 4.18 TB/s
  Row(s, &GpuSheet::l2_bytes, {60 * kMiB, 50 * kMiB, 40 * kMiB, 96 * kMiB, 72 * kMiB});    // ddddd
  Row(s, &GpuSheet::l2_load_bytes_per_second, {5.5e12, 5.5e12, 3.2e12, 4.0e12, 4.0e12});   // meeee
  Row(s, &GpuSheet::l2_store_bytes_per_second, {4.4e12, 4.4e12, 2.6e12, 3.2e12, 3.2e12});  // meeee
  Row(s, &GpuSheet::l2_partial_store_bytes_per_second,
      {2.2e12, 2.2e12, 1.3e12, 1.6e12, 1.6e12});  // meeee naive transpose of 8192^2 floats: 2.17 TB/s
  Row(s, &GpuSheet::fp16_flops, {133.8e12, 133.8e12, 78e12, 91.6e12, 82.6e12});          // ddddd
  Row(s, &GpuSheet::fp32_flops, {66.9e12, 66.9e12, 19.5e12, 91.6e12, 82.6e12});          // ddddd
  Row(s, &GpuSheet::fp64_flops, {33.5e12, 33.5e12, 9.7e12, 1.43e12, 1.29e12});           // ddddd
  Row(s, &GpuSheet::tensor_flops, {989e12, 989e12, 312e12, 362e12, 165.2e12});           // ddddd
  Row(s, &GpuSheet::integer_operations_per_clock, {64, 64, 64, 64, 64});                 // meeee 63.6 multiply-adds
  Row(s, &GpuSheet::special_functions_per_clock, {16, 16, 16, 16, 16});                  // meeee 15.9
  Row(s, &GpuSheet::warp_instructions_per_clock, {4, 4, 4, 4, 4});                       // ddddd
  Row(s, &GpuSheet::max_threads_per_multiprocessor, {2048, 2048, 2048, 1536, 1536});     // ddddd
  Row(s, &GpuSheet::registers_per_multiprocessor, {65536, 65536, 65536, 65536, 65536});  // ddddd
  Row(s, &GpuSheet::shared_bytes_per_multiprocessor,
      {228 * kKiB, 228 * kKiB, 164 * kKiB, 100 * kKiB, 100 * kKiB});                                            // ddddd
  Row(s, &GpuSheet::shared_bytes_per_block_optin, {227 * kKiB, 227 * kKiB, 163 * kKiB, 99 * kKiB, 99 * kKiB});  // ddddd
  Row(s, &GpuSheet::dram_latency_seconds, {650e-9, 650e-9, 560e-9, 600e-9, 600e-9});                            // meeee
  Row(s, &GpuSheet::l2_latency_seconds, {130e-9, 130e-9, 150e-9, 120e-9, 120e-9});                              // meeee
  Row(s, &GpuSheet::launch_seconds, {2.7e-6, 2.7e-6, 3e-6, 3e-6, 3e-6});  // meeee an empty kernel between two events
  Row(s, &GpuSheet::block_launches_per_clock, {0.84, 0.84, 0.84, 0.84, 0.84});  // meeee 2^20 empty blocks: 633 us
  Row(s, &GpuSheet::host_to_device_bytes_per_second,
      {15.9e9, 15.9e9, 11e9, 11e9, 11e9});  // meeee 256 MiB; pinned memory reaches 54.8 GB/s
  Row(s, &GpuSheet::device_to_host_bytes_per_second, {9.5e9, 9.5e9, 8e9, 8e9, 8e9});  // meeee
  Row(s, &GpuSheet::host_to_device_seconds, {9e-6, 9e-6, 9e-6, 9e-6, 9e-6});          // meeee 4 KiB
  Row(s, &GpuSheet::device_to_host_seconds, {12e-6, 12e-6, 12e-6, 12e-6, 12e-6});     // meeee 4 KiB
  Row(s, &GpuSheet::atomic_same_address_seconds,
      {0.73e-9, 0.73e-9, 1.0e-9, 0.6e-9, 0.6e-9});  // meeee 2^22 integer additions
  Row(s, &GpuSheet::atomic_spread_seconds,
      {0.011e-9, 0.011e-9, 0.019e-9, 0.012e-9, 0.012e-9});  // meeee the same over 65,536 addresses
  return s;
}

constexpr Sheets kSheets = FillSheets();

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

absl::StatusOr<GpuSheet> FindGpuSheetByDeviceName(std::string_view device_name) {
  // Words of the name without spaces hold the sheet's own: `NVIDIA GeForce RTX 4090` is rtx4090.
  std::string squeezed = absl::AsciiStrToLower(std::string(device_name));
  squeezed.erase(std::remove(squeezed.begin(), squeezed.end(), ' '), squeezed.end());
  for (const GpuSheet& sheet : kSheets) {
    if (squeezed.find(sheet.name) != std::string::npos) return sheet;
  }
  return absl::NotFoundError(absl::StrCat("no data sheet for ", std::string(device_name)));
}

}  // namespace cudaperf::analyzers
