#include "sandbox/judge/shared_buffer.h"

#include <fcntl.h>
#include <sys/mman.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "absl/status/status.h"

#ifndef F_SEAL_FUTURE_WRITE
#define F_SEAL_FUTURE_WRITE 0x0010  // Linux 5.1
#endif

namespace cudaperf::sandbox {
namespace {

absl::StatusOr<UniqueFd> CreateMemory(int64_t size_bytes) {
  // The name shows in /proc of whoever maps it: it tells nothing.
  UniqueFd fd(memfd_create("cudaperf", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!fd.valid()) return absl::ErrnoToStatus(errno, "memfd_create");
  if (ftruncate(fd.get(), size_bytes) != 0) return absl::ResourceExhaustedError("no memory for a buffer");
  return fd;
}

}  // namespace

absl::StatusOr<SharedBuffer> SharedBuffer::Create(int64_t size_bytes, Access access) {
  absl::StatusOr<UniqueFd> fd = CreateMemory(size_bytes);
  if (!fd.ok()) return fd.status();
  void* data = mmap(nullptr, size_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd->get(), 0);
  if (data == MAP_FAILED) return absl::ResourceExhaustedError("no memory for a buffer");
  SharedBuffer buffer(*std::move(fd), static_cast<char*>(data), size_bytes);
  // Mappings made before F_SEAL_FUTURE_WRITE keep writing: ours.
  const int seals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL | (access == Access::kReadOnly ? F_SEAL_FUTURE_WRITE : 0);
  if (fcntl(buffer.fd(), F_ADD_SEALS, seals) != 0) return absl::ErrnoToStatus(errno, "F_ADD_SEALS");
  return buffer;
}

SharedBuffer::SharedBuffer(SharedBuffer&& other) noexcept
    : fd_(std::move(other.fd_)), data_(std::exchange(other.data_, nullptr)), size_bytes_(other.size_bytes_) {}

SharedBuffer::~SharedBuffer() {
  if (data_ != nullptr) munmap(data_, size_bytes_);
}

void SharedBuffer::Write(absl::string_view bytes) { std::memcpy(data_, bytes.data(), bytes.size()); }

void SharedBuffer::Fill(uint8_t byte) { std::memset(data_, byte, size_bytes_); }

absl::StatusOr<UniqueFd> SealedContent(absl::string_view bytes) {
  absl::StatusOr<UniqueFd> fd = CreateMemory(0);
  if (!fd.ok()) return fd.status();
  while (!bytes.empty()) {
    const ssize_t written = write(fd->get(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return absl::ResourceExhaustedError("no memory for a shared object");
    bytes.remove_prefix(written);
  }
  if (fcntl(fd->get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL) != 0) {
    return absl::ErrnoToStatus(errno, "F_ADD_SEALS");
  }
  return fd;
}

}  // namespace cudaperf::sandbox
