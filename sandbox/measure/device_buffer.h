#ifndef CUDAPERF_SANDBOX_MEASURE_DEVICE_BUFFER_H_
#define CUDAPERF_SANDBOX_MEASURE_DEVICE_BUFFER_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "sandbox/measure/gpu_device.h"
#include "sandbox/worker/unique_fd.h"

namespace cudaperf::sandbox {

// Device memory of the judge that a runner can map by its descriptor. The content lies at the end of the allocation, so
// that what lies beyond it is not mapped in a runner; what is left of the allocation around it is guarded. Move-only.
class DeviceBuffer {
 public:
  // What guards are filled with.
  static constexpr unsigned char kGuard = 0xA9;

  // `size_bytes` above 0. RESOURCE_EXHAUSTED without memory. `gpu` is not owned; outlives this.
  static absl::StatusOr<DeviceBuffer> Create(GpuDevice* gpu, int64_t size_bytes);

  DeviceBuffer(DeviceBuffer&& other) noexcept;
  DeviceBuffer& operator=(DeviceBuffer&&) = delete;
  ~DeviceBuffer();

  int64_t size_bytes() const { return size_bytes_; }
  // Of the content, in the judge's context.
  CUdeviceptr address() const { return base_ + offset(); }
  // The whole allocation, and where the content begins in it.
  int fd() const { return fd_.get(); }
  int64_t allocation_bytes() const { return allocation_bytes_; }
  int64_t offset() const { return allocation_bytes_ - PaddedBytes(); }

  absl::Status Fill(unsigned char byte) const;
  absl::Status FillGuards() const;
  // Bytes of the guards that hold something else.
  absl::StatusOr<uint64_t> CountChangedGuards() const;

 private:
  DeviceBuffer(GpuDevice* gpu, int64_t size_bytes) : gpu_(gpu), size_bytes_(size_bytes) {}

  // Rounded up to what cudaMalloc aligns to.
  int64_t PaddedBytes() const { return (size_bytes_ + 255) / 256 * 256; }

  GpuDevice* gpu_;
  int64_t size_bytes_;
  int64_t allocation_bytes_ = 0;
  CUdeviceptr base_ = 0;
  UniqueFd fd_;
};

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_MEASURE_DEVICE_BUFFER_H_
