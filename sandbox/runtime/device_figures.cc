#include "sandbox/runtime/device_figures.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>

namespace cudaperf::sandbox {
namespace {

constexpr int kRegistersPerBlock = 65536;

// cudaDeviceGetAttribute by attribute number from 1, but for what identifies one board, which is 0. Sizes of textures
// and surfaces are what a program may ask for, though the emulated device has none.
constexpr std::array<int, 147> kAttributes = {
    1024,       1024,    1024,    64,    2147483647, 65535,   65535,  49152,    65536,     32,      // 1..10
    2147483647, 65536,   1980000, 512,   1,          132,     0,      0,        1,         0,       // 11..20
    131072,     131072,  65536,   16384, 16384,      16384,   32768,  32768,    2048,      512,     // 21..30
    1,          1,       0,       0,     0,          3201000, 6016,   62914560, 2048,      3,       // 31..40
    1,          32768,   2048,    1,     32768,      32768,   8192,   8192,     32768,     0,       // 41..50
    32,         32768,   32768,   2046,  32768,      131072,  65536,  16384,    16384,     16384,   // 51..60
    32768,      2048,    32768,   32768, 2048,       32768,   32768,  2046,     268435456, 131072,  // 61..70
    65000,      2097120, 32768,   32768, 9,          0,       32768,  1,        1,         1,       // 71..80
    233472,     65536,   1,       0,     0,          0,       2,      0,        1,         1,       // 81..90
    1,          0,       0,       0,     1,          1,       232448, 0,        1,         0,       // 91..100
    0,          1,       1,       0,     0,          32,      1,      39321600, 134217728, 1,       // 101..110
    1024,       1,       1,       1,     1,          1,       1,      100,      9,         1,       // 111..120
    1,          1,       1,       1,     1,          4,       1,      1,        1,         0,       // 121..130
    -1,         0,       0,       0,     0,          0,       0,      0,        0,         0,       // 131..140
    1,          1,       0,       1,     1,          0,       0};                                   // 141..147

int At(cudaDeviceAttr attribute) { return kAttributes[attribute - 1]; }

}  // namespace

std::optional<int> DeviceAttribute(cudaDeviceAttr attribute) {
  if (attribute < 1 || attribute > static_cast<int>(kAttributes.size())) return std::nullopt;
  return At(attribute);
}

cudaDeviceProp DeviceProperties(int64_t memory_bytes) {
  cudaDeviceProp properties;
  std::memset(&properties, 0, sizeof(properties));
  std::snprintf(properties.name, sizeof(properties.name), "NVIDIA H200 (emulated)");
  properties.totalGlobalMem = memory_bytes;
  properties.sharedMemPerBlock = At(cudaDevAttrMaxSharedMemoryPerBlock);
  properties.regsPerBlock = kRegistersPerBlock;
  properties.warpSize = At(cudaDevAttrWarpSize);
  properties.memPitch = At(cudaDevAttrMaxPitch);
  properties.maxThreadsPerBlock = At(cudaDevAttrMaxThreadsPerBlock);
  for (int i = 0; i < 3; ++i) {
    properties.maxThreadsDim[i] = kAttributes[cudaDevAttrMaxBlockDimX - 1 + i];
    properties.maxGridSize[i] = kAttributes[cudaDevAttrMaxGridDimX - 1 + i];
  }
  properties.totalConstMem = At(cudaDevAttrTotalConstantMemory);
  properties.major = At(cudaDevAttrComputeCapabilityMajor);
  properties.minor = At(cudaDevAttrComputeCapabilityMinor);
  properties.textureAlignment = At(cudaDevAttrTextureAlignment);
  properties.texturePitchAlignment = At(cudaDevAttrTexturePitchAlignment);
  properties.multiProcessorCount = At(cudaDevAttrMultiProcessorCount);
  properties.canMapHostMemory = At(cudaDevAttrCanMapHostMemory);
  properties.concurrentKernels = At(cudaDevAttrConcurrentKernels);
  properties.ECCEnabled = At(cudaDevAttrEccEnabled);
  properties.asyncEngineCount = At(cudaDevAttrAsyncEngineCount);
  properties.unifiedAddressing = At(cudaDevAttrUnifiedAddressing);
  properties.memoryBusWidth = At(cudaDevAttrGlobalMemoryBusWidth);
  properties.l2CacheSize = At(cudaDevAttrL2CacheSize);
  properties.persistingL2CacheMaxSize = At(cudaDevAttrMaxPersistingL2CacheSize);
  properties.maxThreadsPerMultiProcessor = At(cudaDevAttrMaxThreadsPerMultiProcessor);
  properties.streamPrioritiesSupported = At(cudaDevAttrStreamPrioritiesSupported);
  properties.globalL1CacheSupported = At(cudaDevAttrGlobalL1CacheSupported);
  properties.localL1CacheSupported = At(cudaDevAttrLocalL1CacheSupported);
  properties.sharedMemPerMultiprocessor = At(cudaDevAttrMaxSharedMemoryPerMultiprocessor);
  properties.regsPerMultiprocessor = At(cudaDevAttrMaxRegistersPerMultiprocessor);
  properties.managedMemory = At(cudaDevAttrManagedMemory);
  properties.concurrentManagedAccess = At(cudaDevAttrConcurrentManagedAccess);
  properties.computePreemptionSupported = At(cudaDevAttrComputePreemptionSupported);
  properties.canUseHostPointerForRegisteredMem = At(cudaDevAttrCanUseHostPointerForRegisteredMem);
  properties.cooperativeLaunch = At(cudaDevAttrCooperativeLaunch);
  properties.sharedMemPerBlockOptin = kSharedBytesPerBlockOptIn;
  properties.maxBlocksPerMultiProcessor = At(cudaDevAttrMaxBlocksPerMultiprocessor);
  properties.accessPolicyMaxWindowSize = At(cudaDevAttrMaxAccessPolicyWindowSize);
  properties.reservedSharedMemPerBlock = At(cudaDevAttrReservedSharedMemoryPerBlock);
  properties.hostRegisterSupported = At(cudaDevAttrHostRegisterSupported);
  properties.memoryPoolsSupported = At(cudaDevAttrMemoryPoolsSupported);
  properties.clusterLaunch = At(cudaDevAttrClusterLaunch);
  return properties;
}

int MaxThreadsPerBlock(int register_count) {
  const int most = At(cudaDevAttrMaxThreadsPerBlock);
  if (register_count <= 0) return most;
  // Registers are given to warps, in units of 256.
  const int per_warp = (register_count * 32 + 255) / 256 * 256;
  return std::min(most, kRegistersPerBlock / per_warp * 32);
}

}  // namespace cudaperf::sandbox
