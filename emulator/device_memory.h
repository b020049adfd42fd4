#ifndef CUDAPERF_EMULATOR_DEVICE_MEMORY_H_
#define CUDAPERF_EMULATOR_DEVICE_MEMORY_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace cudaperf::emulator {

// A range of device memory. `host` is where its bytes lie in this process.
struct Allocation {
  // For messages: the judge's parameter name, or empty.
  std::string name;
  uint64_t address = 0;
  int64_t size_bytes = 0;
  int64_t element_size_bytes = 1;
  bool read_only = false;
  std::byte* host = nullptr;
  // One bit per byte, set when something wrote it; null when all of it counts as written.
  std::unique_ptr<uint64_t[]> initialized;
  // Per launch, one bit per 32-byte sector touched by loads and by stores.
  std::unique_ptr<uint64_t[]> loaded_sectors;
  std::unique_ptr<uint64_t[]> stored_sectors;
  // Owned backing, null for attached memory.
  std::unique_ptr<std::byte[], void (*)(void*)> owned{nullptr, nullptr};
};

// The emulated GPU's global memory: a virtual range in which every allocation starts on a 2 MiB boundary and is
// followed by unmapped space, so that running past an end is always seen. Not thread-safe, except that launches read
// the allocation table from several threads while nobody changes it.
class DeviceMemory {
 public:
  enum class Content { kUninitialized, kInitialized };

  struct Attachment {
    // Not owned; outlives the attachment. Mapped writable unless `read_only`.
    void* host = nullptr;
    int64_t size_bytes = 0;
    bool read_only = false;
    Content content = Content::kInitialized;
    std::string name;
    int64_t element_size_bytes = 1;
  };

  // Bounds what Allocate may take; attached memory does not count.
  explicit DeviceMemory(int64_t limit_bytes);
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;
  ~DeviceMemory();

  // Device address, 2 MiB aligned. Uninitialised memory is poisoned with 0xFF. RESOURCE_EXHAUSTED beyond the limit;
  // INVALID_ARGUMENT for a size that is not positive.
  absl::StatusOr<uint64_t> Allocate(int64_t size_bytes, Content content = Content::kUninitialized,
                                    std::string_view name = "");
  absl::StatusOr<uint64_t> Attach(const Attachment& attachment);
  // NOT_FOUND unless `address` is the start of a live allocation.
  absl::Status Free(uint64_t address);

  // All bounds-checked (OUT_OF_RANGE), and they know no read-only memory: they are the host's. Writing marks bytes
  // as initialised.
  absl::Status CopyIn(uint64_t address, const void* source, int64_t size_bytes);
  absl::Status CopyOut(uint64_t address, void* destination, int64_t size_bytes) const;
  absl::Status CopyWithin(uint64_t destination, uint64_t source, int64_t size_bytes);
  absl::Status Fill(uint64_t address, int64_t size_bytes, uint8_t value);
  // Forgets what was written to the allocation that starts at `address`.
  absl::Status MarkUninitialized(uint64_t address);

  int64_t limit_bytes() const { return limit_bytes_; }
  int64_t allocated_bytes() const { return allocated_bytes_; }

  // The allocation holding `address`, or null. For the interpreter.
  Allocation* Find(uint64_t address) const;
  // The live allocation that ends closest below `address` or starts closest above it, or null: names the neighbour of a
  // stray access.
  const Allocation* Nearest(uint64_t address) const;
  // Clears the sector bitmaps of every allocation.
  void ResetSectors();
  // Distinct sectors touched since ResetSectors.
  int64_t CountLoadedSectors() const;
  int64_t CountStoredSectors() const;

 private:
  absl::StatusOr<uint64_t> Place(std::unique_ptr<Allocation> allocation);
  absl::StatusOr<Allocation*> FindRange(uint64_t address, int64_t size_bytes) const;

  int64_t limit_bytes_;
  int64_t allocated_bytes_ = 0;
  // Allocation of every 2 MiB slot of the virtual range; null when unmapped.
  std::vector<Allocation*> slots_;
  size_t next_slot_ = 0;
  std::vector<std::unique_ptr<Allocation>> allocations_;
};

}  // namespace cudaperf::emulator

#endif  // CUDAPERF_EMULATOR_DEVICE_MEMORY_H_
