#include "sandbox/runtime/pinned_memory.h"

namespace cudaperf::sandbox {

void PinnedMemory::Add(const void* address, size_t size_bytes) {
  std::lock_guard<std::mutex> lock(mutex_);
  const uint64_t start = reinterpret_cast<uint64_t>(address);
  starts_by_end_[start + size_bytes] = start;
}

bool PinnedMemory::Remove(const void* address) {
  std::lock_guard<std::mutex> lock(mutex_);
  const uint64_t start = reinterpret_cast<uint64_t>(address);
  auto found = starts_by_end_.upper_bound(start);
  if (found == starts_by_end_.end() || found->second != start) return false;
  starts_by_end_.erase(found);
  return true;
}

bool PinnedMemory::Contains(uint64_t address) const {
  std::lock_guard<std::mutex> lock(mutex_);
  auto found = starts_by_end_.upper_bound(address);
  return found != starts_by_end_.end() && found->second <= address;
}

}  // namespace cudaperf::sandbox
