#include "sandbox/measure/device_buffer.h"

#include <utility>

namespace cudaperf::sandbox {

absl::StatusOr<DeviceBuffer> DeviceBuffer::Create(GpuDevice* gpu, int64_t size_bytes) {
  const Driver& driver = gpu->driver();
  DeviceBuffer buffer(gpu, size_bytes);
  const int64_t granularity = gpu->granularity();
  buffer.allocation_bytes_ = (buffer.PaddedBytes() + granularity - 1) / granularity * granularity;
  const auto size = static_cast<size_t>(buffer.allocation_bytes_);
  const CUmemAllocationProp properties = {.type = CU_MEM_ALLOCATION_TYPE_PINNED,
                                          .requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR,
                                          .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = gpu->device()}};
  const CUmemAccessDesc access = {.location = properties.location, .flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  CUmemGenericAllocationHandle handle = 0;
  int fd = -1;
  if (absl::Status status = driver.Check(driver.MemCreate(&handle, size, &properties, 0), "cuMemCreate");
      !status.ok()) {
    return status;
  }
  absl::Status status =
      driver.Check(driver.MemExportToShareableHandle(&fd, handle, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0),
                   "cuMemExportToShareableHandle");
  if (status.ok()) {
    buffer.fd_ = UniqueFd(fd);
    status = driver.Check(driver.MemAddressReserve(&buffer.base_, size, 0, 0, 0), "cuMemAddressReserve");
  }
  if (status.ok()) status = driver.Check(driver.MemMap(buffer.base_, size, 0, handle, 0), "cuMemMap");
  // Mappings and descriptors keep the memory.
  driver.MemRelease(handle);
  if (status.ok()) status = driver.Check(driver.MemSetAccess(buffer.base_, size, &access, 1), "cuMemSetAccess");
  if (!status.ok()) return status;
  return buffer;
}

DeviceBuffer::DeviceBuffer(DeviceBuffer&& other) noexcept
    : gpu_(other.gpu_),
      size_bytes_(other.size_bytes_),
      allocation_bytes_(other.allocation_bytes_),
      base_(std::exchange(other.base_, 0)),
      fd_(std::move(other.fd_)) {}

DeviceBuffer::~DeviceBuffer() {
  if (base_ == 0) return;
  gpu_->driver().MemUnmap(base_, static_cast<size_t>(allocation_bytes_));
  gpu_->driver().MemAddressFree(base_, static_cast<size_t>(allocation_bytes_));
}

absl::Status DeviceBuffer::Fill(unsigned char byte) const {
  return gpu_->driver().Check(gpu_->driver().MemsetD8Async(address(), byte, static_cast<size_t>(size_bytes_), nullptr),
                              "cuMemsetD8");
}

absl::Status DeviceBuffer::FillGuards() const {
  const Driver& driver = gpu_->driver();
  if (offset() > 0) {
    const CUresult front = driver.MemsetD8Async(base_, kGuard, static_cast<size_t>(offset()), nullptr);
    if (front != CUDA_SUCCESS) return driver.Check(front, "cuMemsetD8");
  }
  const int64_t behind = PaddedBytes() - size_bytes_;
  if (behind == 0) return absl::OkStatus();
  const auto end = address() + static_cast<CUdeviceptr>(size_bytes_);
  return driver.Check(driver.MemsetD8Async(end, kGuard, static_cast<size_t>(behind), nullptr), "cuMemsetD8");
}

absl::StatusOr<uint64_t> DeviceBuffer::CountChangedGuards() const {
  absl::StatusOr<CUdeviceptr> total = gpu_->ZeroedTotal();
  if (!total.ok()) return total.status();
  int value = kGuard;
  const auto count = [&](CUdeviceptr start, int64_t size) {
    void* arguments[] = {&start, &size, &value, &*total};
    return gpu_->Launch("other_than", size, arguments);
  };
  if (absl::Status status = count(base_, offset()); !status.ok()) return status;
  if (absl::Status status = count(address() + static_cast<CUdeviceptr>(size_bytes_), PaddedBytes() - size_bytes_);
      !status.ok()) {
    return status;
  }
  return gpu_->ReadTotal();
}

}  // namespace cudaperf::sandbox
