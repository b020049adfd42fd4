#ifndef CUDAPERF_SANDBOX_RUNTIME_DEVICE_FIGURES_H_
#define CUDAPERF_SANDBOX_RUNTIME_DEVICE_FIGURES_H_

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace cudaperf::sandbox {

// Figures that the emulated device reports: those of an H200, as CUDA 13.0 reports them there.

constexpr size_t kSharedBytesPerBlockOptIn = 232448;

// `memory_bytes`: what it says of its global memory.
cudaDeviceProp DeviceProperties(int64_t memory_bytes);

// Nothing for an attribute that CUDA 13.0 does not know.
std::optional<int> DeviceAttribute(cudaDeviceAttr attribute);

// Most threads of a block whose threads have so many registers; 0 registers mean unknown.
int MaxThreadsPerBlock(int register_count);

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_RUNTIME_DEVICE_FIGURES_H_
