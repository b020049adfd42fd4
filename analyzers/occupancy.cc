#include "analyzers/occupancy.h"

#include <cuda_occupancy.h>

#include <algorithm>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace cudaperf::analyzers {
namespace {

constexpr int kWarpSize = 32;
constexpr int kMaxThreadsPerBlock = 1024;
constexpr int64_t kSharedBytesWithoutOptin = 48 * 1024;
constexpr int64_t kReservedSharedBytes = 1024;

cudaOccDeviceProp PropertiesOf(const GpuSheet& gpu) {
  cudaOccDeviceProp properties;
  properties.computeMajor = gpu.compute_major;
  properties.computeMinor = gpu.compute_minor;
  properties.maxThreadsPerBlock = kMaxThreadsPerBlock;
  properties.maxThreadsPerMultiprocessor = gpu.max_threads_per_multiprocessor;
  properties.regsPerBlock = gpu.registers_per_multiprocessor;
  properties.regsPerMultiprocessor = gpu.registers_per_multiprocessor;
  properties.warpSize = kWarpSize;
  properties.sharedMemPerBlock = kSharedBytesWithoutOptin;
  properties.sharedMemPerMultiprocessor = gpu.shared_bytes_per_multiprocessor;
  properties.numSms = gpu.multiprocessor_count;
  properties.sharedMemPerBlockOptin = gpu.shared_bytes_per_block_optin;
  properties.reservedSharedMemPerBlock = kReservedSharedBytes;
  return properties;
}

// The scarcest resource; several may bind at once, then the one that code can change most easily is named.
std::string LimiterOf(unsigned int factors) {
  if (factors & OCC_LIMIT_SHARED_MEMORY) return "shared memory";
  if (factors & OCC_LIMIT_REGISTERS) return "registers";
  if (factors & OCC_LIMIT_WARPS) return "warps";
  return "blocks";
}

}  // namespace

absl::StatusOr<reward::v1::Occupancy> ComputeOccupancy(const GpuSheet& gpu, const BlockShape& block) {
  if (block.threads < 1 || block.threads > kMaxThreadsPerBlock) {
    return absl::InvalidArgumentError(
        absl::StrCat(block.threads, " threads per block; 1 to ", kMaxThreadsPerBlock, " fit"));
  }
  const int64_t shared_bytes = block.static_shared_bytes + block.dynamic_shared_bytes;
  if (block.static_shared_bytes < 0 || block.dynamic_shared_bytes < 0 ||
      shared_bytes > gpu.shared_bytes_per_block_optin) {
    return absl::InvalidArgumentError(absl::StrCat(shared_bytes, " bytes of shared memory per block; at most ",
                                                   gpu.shared_bytes_per_block_optin, " fit"));
  }
  cudaOccFuncAttributes attributes;
  attributes.maxThreadsPerBlock = kMaxThreadsPerBlock;
  attributes.numRegs = static_cast<int>(std::clamp<int64_t>(block.registers_per_thread, 1, 255));
  attributes.sharedSizeBytes = block.static_shared_bytes;
  attributes.partitionedGCConfig = PARTITIONED_GC_OFF;
  attributes.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
  attributes.maxDynamicSharedSizeBytes = block.dynamic_shared_bytes;
  attributes.numBlockBarriers = 1;
  const cudaOccDeviceProp properties = PropertiesOf(gpu);
  const cudaOccDeviceState state;
  cudaOccResult result;
  const cudaOccError error = cudaOccMaxActiveBlocksPerMultiprocessor(
      &result, &properties, &attributes, &state, static_cast<int>(block.threads), block.dynamic_shared_bytes);
  if (error != CUDA_OCC_SUCCESS) {
    return absl::InternalError(absl::StrCat("the occupancy calculator failed with error ", static_cast<int>(error)));
  }
  if (result.activeBlocksPerMultiprocessor < 1) {
    return absl::InvalidArgumentError(absl::StrCat("no block of ", block.threads, " threads with ",
                                                   block.registers_per_thread,
                                                   " registers each fits on a multiprocessor"));
  }
  const int64_t warps = (block.threads + kWarpSize - 1) / kWarpSize;
  reward::v1::Occupancy occupancy;
  occupancy.set_active_blocks_per_multiprocessor(result.activeBlocksPerMultiprocessor);
  occupancy.set_theoretical(static_cast<double>(warps * result.activeBlocksPerMultiprocessor) /
                            (gpu.max_threads_per_multiprocessor / kWarpSize));
  occupancy.set_limiter(LimiterOf(result.limitingFactors));
  return occupancy;
}

BlockShape ShapeOf(const reward::v1::KernelExecution& execution) {
  BlockShape shape = {.threads = 1,
                      .registers_per_thread = execution.register_count(),
                      .static_shared_bytes = execution.static_shared_bytes(),
                      .dynamic_shared_bytes = execution.dynamic_shared_bytes()};
  for (const int32_t extent : execution.block()) {
    shape.threads *= std::clamp<int64_t>(extent, 0, kMaxThreadsPerBlock);
  }
  return shape;
}

}  // namespace cudaperf::analyzers
