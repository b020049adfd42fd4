#include "sandbox/device/shared_mapping.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <cerrno>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace cudaperf::sandbox {

absl::StatusOr<SharedMapping> SharedMapping::Map(int fd, int64_t size_bytes, Access access) {
  if (size_bytes < 0) return absl::InvalidArgumentError("negative size");
  if (size_bytes == 0) return SharedMapping();
  struct stat file;
  if (fstat(fd, &file) != 0) return absl::ErrnoToStatus(errno, "fstat");
  if (file.st_size < size_bytes) {
    return absl::InvalidArgumentError(
        absl::StrCat("shared memory has ", file.st_size, " bytes, ", size_bytes, " announced"));
  }
  const int protection = access == Access::kReadOnly ? PROT_READ : PROT_READ | PROT_WRITE;
  const int sharing = access == Access::kPrivate ? MAP_PRIVATE : MAP_SHARED;
  void* address = mmap(nullptr, size_bytes, protection, sharing, fd, 0);
  if (address == MAP_FAILED) return absl::ErrnoToStatus(errno, "mmap of shared memory");
  return SharedMapping(address, size_bytes);
}

bool SharedMapping::IsSealed(int fd) {
  const int seals = fcntl(fd, F_GET_SEALS);
  return seals >= 0 && (seals & F_SEAL_SHRINK) != 0;
}

SharedMapping::SharedMapping(SharedMapping&& other) noexcept
    : address_(std::exchange(other.address_, nullptr)), size_bytes_(std::exchange(other.size_bytes_, 0)) {}

SharedMapping& SharedMapping::operator=(SharedMapping&& other) noexcept {
  std::swap(address_, other.address_);
  std::swap(size_bytes_, other.size_bytes_);
  return *this;
}

SharedMapping::~SharedMapping() {
  if (address_ != nullptr) munmap(address_, size_bytes_);
}

}  // namespace cudaperf::sandbox
