#include "sandbox/gpu_runner/imported_memory.h"

#include <sys/mman.h>

#include <cerrno>

#include "absl/status/status.h"

namespace cudaperf::sandbox {

absl::StatusOr<std::vector<uint64_t>> ImportedMemory::Map(const worker::v1::GpuMapRequest& request,
                                                          const std::vector<UniqueFd>& fds) {
  if (fds.size() != static_cast<size_t>(request.mappings_size())) {
    return absl::InvalidArgumentError("one descriptor per mapping");
  }
  std::vector<uint64_t> addresses;
  for (int i = 0; i < request.mappings_size(); ++i) {
    const worker::v1::GpuMapping& mapping = request.mappings(i);
    absl::StatusOr<uint64_t> address =
        mapping.host() ? MapHost(mapping, fds[i].get()) : MapDevice(mapping, fds[i].get());
    if (!address.ok()) return address.status();
    mappings_.push_back({.address = *address, .size_bytes = mapping.size_bytes(), .is_host = mapping.host()});
    addresses.push_back(*address);
  }
  return addresses;
}

absl::StatusOr<uint64_t> ImportedMemory::MapDevice(const worker::v1::GpuMapping& mapping, int fd) {
  const Driver& driver = gpu_->driver();
  absl::Status status;
  const auto step = [&](const char* call, CUresult result) {
    if (status.ok()) status = driver.Check(result, call);
    return status.ok();
  };
  CUmemGenericAllocationHandle handle = 0;
  CUdeviceptr address = 0;
  const auto size = static_cast<size_t>(mapping.size_bytes());
  if (!step("cuMemImportFromShareableHandle",
            driver.MemImportFromShareableHandle(&handle, reinterpret_cast<void*>(static_cast<intptr_t>(fd)),
                                                CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR))) {
    return status;
  }
  const CUmemAccessDesc access = {
      .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = gpu_->device()},
      .flags = mapping.read_only() ? CU_MEM_ACCESS_FLAGS_PROT_READ : CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  step("cuMemAddressReserve", driver.MemAddressReserve(&address, size, 0, 0, 0)) &&
      step("cuMemMap", driver.MemMap(address, size, 0, handle, 0)) &&
      step("cuMemSetAccess", driver.MemSetAccess(address, size, &access, 1));
  // The mapping holds the memory.
  driver.MemRelease(handle);
  if (!status.ok()) return status;
  return address;
}

absl::StatusOr<uint64_t> ImportedMemory::MapHost(const worker::v1::GpuMapping& mapping, int fd) {
  // Populated: page faults are not the candidate's time.
  const int protection = PROT_READ | (mapping.read_only() ? 0 : PROT_WRITE);
  void* address = mmap(nullptr, mapping.size_bytes(), protection, MAP_SHARED | MAP_POPULATE, fd, 0);
  if (address == MAP_FAILED) return absl::ErrnoToStatus(errno, "mmap");
  return reinterpret_cast<uint64_t>(address);
}

void ImportedMemory::UnmapAll() {
  for (const Mapping& mapping : mappings_) {
    if (mapping.is_host) {
      munmap(reinterpret_cast<void*>(mapping.address), mapping.size_bytes);
    } else {
      gpu_->driver().MemUnmap(mapping.address, mapping.size_bytes);
      gpu_->driver().MemAddressFree(mapping.address, mapping.size_bytes);
    }
  }
  mappings_.clear();
}

}  // namespace cudaperf::sandbox
