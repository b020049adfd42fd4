#ifndef CUDAPERF_SANDBOX_RUNTIME_PINNED_MEMORY_H_
#define CUDAPERF_SANDBOX_RUNTIME_PINNED_MEMORY_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>

namespace cudaperf::sandbox {

// Remembers which host memory the program pinned. On a GPU kernels may read and write it where it lies; the emulated
// device cannot, and has to say so instead of calling it a stray access. Thread-safe.
class PinnedMemory {
 public:
  void Add(const void* address, size_t size_bytes);
  // False when no pinned memory starts there.
  bool Remove(const void* address);
  bool Contains(uint64_t address) const;

 private:
  mutable std::mutex mutex_;
  // By the first address behind it.
  std::map<uint64_t, uint64_t> starts_by_end_;
};

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_RUNTIME_PINNED_MEMORY_H_
