#ifndef CUDAPERF_TESTS_SANDBOX_DEVICE_SEALED_MEMORY_H_
#define CUDAPERF_TESTS_SANDBOX_DEVICE_SEALED_MEMORY_H_

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstring>
#include <vector>

#include "sandbox/worker/unique_fd.h"

namespace cudaperf::sandbox {

// Memory as the judge shares it: a memfd that cannot shrink, mapped here too.
template <typename Element>
class SealedMemory {
 public:
  explicit SealedMemory(std::vector<Element> content)
      : size_bytes_(content.size() * sizeof(Element)),
        fd_(memfd_create("test", MFD_CLOEXEC | MFD_ALLOW_SEALING)),
        count_(content.size()) {
    if (ftruncate(fd_.get(), static_cast<off_t>(size_bytes_)) != 0) return;
    fcntl(fd_.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW);
    address_ = static_cast<Element*>(mmap(nullptr, size_bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, fd_.get(), 0));
    std::memcpy(address_, content.data(), size_bytes_);
  }
  SealedMemory(const SealedMemory&) = delete;
  SealedMemory& operator=(const SealedMemory&) = delete;
  ~SealedMemory() { munmap(address_, size_bytes_); }

  int fd() const { return fd_.get(); }
  size_t size_bytes() const { return size_bytes_; }
  UniqueFd Duplicate() const { return UniqueFd(fcntl(fd_.get(), F_DUPFD_CLOEXEC, 0)); }
  std::vector<Element> Content() const { return std::vector<Element>(address_, address_ + count_); }
  Element& operator[](size_t index) { return address_[index]; }

 private:
  size_t size_bytes_;
  UniqueFd fd_;
  size_t count_;
  Element* address_ = nullptr;
};

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_TESTS_SANDBOX_DEVICE_SEALED_MEMORY_H_
