#ifndef CUDAPERF_SANDBOX_DEVICE_SHARED_MAPPING_H_
#define CUDAPERF_SANDBOX_DEVICE_SHARED_MAPPING_H_

#include <cstdint>

#include "absl/status/statusor.h"

namespace cudaperf::sandbox {

// Owns a mapping of memory that another process shared as a descriptor. Move-only.
class SharedMapping {
 public:
  enum class Access {
    kReadOnly,   // shared; writes fault
    kReadWrite,  // shared; writes reach the other side
    kPrivate,    // writes stay here
  };

  // Maps the first `size_bytes` of `fd`. INVALID_ARGUMENT when the file is shorter. Size 0 maps nothing.
  static absl::StatusOr<SharedMapping> Map(int fd, int64_t size_bytes, Access access);

  // Whether the file can never shrink: if it could, accesses to a mapping of it could raise SIGBUS.
  static bool IsSealed(int fd);

  SharedMapping() = default;
  SharedMapping(SharedMapping&& other) noexcept;
  SharedMapping& operator=(SharedMapping&& other) noexcept;
  ~SharedMapping();

  // Null for an empty mapping.
  void* address() const { return address_; }
  int64_t size_bytes() const { return size_bytes_; }

 private:
  SharedMapping(void* address, int64_t size_bytes) : address_(address), size_bytes_(size_bytes) {}

  void* address_ = nullptr;
  int64_t size_bytes_ = 0;
};

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_DEVICE_SHARED_MAPPING_H_
