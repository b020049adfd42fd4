#include "emulator/device_memory.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "absl/strings/str_format.h"
#include "emulator/warp.h"

namespace cudaperf::emulator {
namespace {

constexpr int kSlotShift = 21;
constexpr uint64_t kSlotBytes = uint64_t{1} << kSlotShift;
constexpr size_t kMaxSlots = size_t{1} << 22;
constexpr int64_t kMaxAllocationBytes = int64_t{1} << 42;

size_t SectorWords(int64_t size_bytes) { return static_cast<size_t>((size_bytes + 31) / 32 + 63) / 64 + 1; }
size_t ByteWords(int64_t size_bytes) { return static_cast<size_t>((size_bytes + 63) / 64) + 1; }

void SetRange(uint64_t* bits, uint64_t first, uint64_t count) {
  while (count > 0) {
    const uint64_t offset = first & 63;
    const uint64_t here = std::min<uint64_t>(64 - offset, count);
    bits[first >> 6] |= (here == 64 ? ~uint64_t{0} : (uint64_t{1} << here) - 1) << offset;
    first += here;
    count -= here;
  }
}

int64_t CountBits(const uint64_t* bits, size_t words) {
  int64_t count = 0;
  for (size_t i = 0; i < words; ++i) count += std::popcount(bits[i]);
  return count;
}

}  // namespace

DeviceMemory::DeviceMemory(int64_t limit_bytes) : limit_bytes_(limit_bytes) {}
DeviceMemory::~DeviceMemory() = default;

absl::StatusOr<uint64_t> DeviceMemory::Place(std::unique_ptr<Allocation> allocation) {
  // One slot more than the bytes need stays unmapped.
  const size_t needed = static_cast<size_t>(allocation->size_bytes >> kSlotShift) + 2;
  if (needed > kMaxSlots) return absl::ResourceExhaustedError("allocation larger than the address space");
  size_t run = 0, at = next_slot_;
  for (size_t tried = 0; tried < 2 * kMaxSlots && run < needed; ++tried) {
    if (at + run >= kMaxSlots) {
      at = 0;
      run = 0;
    }
    if (at + run >= slots_.size()) slots_.resize(at + run + 1, nullptr);
    if (slots_[at + run] == nullptr) {
      ++run;
    } else {
      at += run + 1;
      run = 0;
    }
  }
  if (run < needed) return absl::ResourceExhaustedError("device address space is full");
  allocation->address = kGlobalBase + (static_cast<uint64_t>(at) << kSlotShift);
  for (size_t slot = at; slot + 1 < at + needed; ++slot) slots_[slot] = allocation.get();
  next_slot_ = at + needed;
  allocations_.push_back(std::move(allocation));
  return allocations_.back()->address;
}

absl::StatusOr<uint64_t> DeviceMemory::Allocate(int64_t size_bytes, Content content, std::string_view name) {
  if (size_bytes <= 0) return absl::InvalidArgumentError("an allocation needs a positive size");
  if (size_bytes > limit_bytes_ - allocated_bytes_) {
    return absl::ResourceExhaustedError(
        absl::StrFormat("%d bytes asked for, %d of %d in use", size_bytes, allocated_bytes_, limit_bytes_));
  }
  auto allocation = std::make_unique<Allocation>();
  allocation->name = std::string(name);
  allocation->size_bytes = size_bytes;
  const size_t rounded = (static_cast<size_t>(size_bytes) + 255) / 256 * 256;
  allocation->owned = {static_cast<std::byte*>(std::aligned_alloc(256, rounded)), std::free};
  if (allocation->owned == nullptr) return absl::ResourceExhaustedError("host memory is exhausted");
  allocation->host = allocation->owned.get();
  const bool poisoned = content == Content::kUninitialized;
  std::memset(allocation->host, poisoned ? 0xff : 0, rounded);
  if (poisoned) allocation->initialized = std::make_unique<uint64_t[]>(ByteWords(size_bytes));
  absl::StatusOr<uint64_t> address = Place(std::move(allocation));
  if (address.ok()) allocated_bytes_ += size_bytes;
  return address;
}

absl::StatusOr<uint64_t> DeviceMemory::Attach(const Attachment& attachment) {
  if (attachment.size_bytes <= 0 || attachment.size_bytes > kMaxAllocationBytes || attachment.host == nullptr) {
    return absl::InvalidArgumentError("an attachment needs memory and a positive size");
  }
  auto allocation = std::make_unique<Allocation>();
  allocation->name = attachment.name;
  allocation->size_bytes = attachment.size_bytes;
  allocation->element_size_bytes = std::max<int64_t>(1, attachment.element_size_bytes);
  allocation->read_only = attachment.read_only;
  allocation->host = static_cast<std::byte*>(attachment.host);
  if (attachment.content == Content::kUninitialized) {
    allocation->initialized = std::make_unique<uint64_t[]>(ByteWords(attachment.size_bytes));
  }
  return Place(std::move(allocation));
}

absl::Status DeviceMemory::Free(uint64_t address) {
  const auto found = std::find_if(allocations_.begin(), allocations_.end(),
                                  [address](const auto& allocation) { return allocation->address == address; });
  if (found == allocations_.end()) return absl::NotFoundError("no allocation starts there");
  if ((*found)->owned != nullptr) allocated_bytes_ -= (*found)->size_bytes;
  for (size_t slot = (address - kGlobalBase) >> kSlotShift; slot < slots_.size() && slots_[slot] == found->get();
       ++slot)
    slots_[slot] = nullptr;
  allocations_.erase(found);
  return absl::OkStatus();
}

Allocation* DeviceMemory::Find(uint64_t address) const {
  if (address < kGlobalBase) return nullptr;
  const uint64_t slot = (address - kGlobalBase) >> kSlotShift;
  if (slot >= slots_.size() || slots_[slot] == nullptr) return nullptr;
  Allocation* allocation = slots_[slot];
  return address - allocation->address < static_cast<uint64_t>(allocation->size_bytes) ? allocation : nullptr;
}

const Allocation* DeviceMemory::Nearest(uint64_t address) const {
  const Allocation* nearest = nullptr;
  uint64_t best = ~uint64_t{0};
  for (const auto& allocation : allocations_) {
    const uint64_t end = allocation->address + static_cast<uint64_t>(allocation->size_bytes);
    const uint64_t distance = address >= end                  ? address - end
                              : address < allocation->address ? allocation->address - address
                                                              : 0;
    if (distance < best) {
      best = distance;
      nearest = allocation.get();
    }
  }
  return nearest;
}

absl::StatusOr<Allocation*> DeviceMemory::FindRange(uint64_t address, int64_t size_bytes) const {
  Allocation* allocation = Find(address);
  if (allocation == nullptr || size_bytes < 0 ||
      static_cast<uint64_t>(size_bytes) >
          static_cast<uint64_t>(allocation->size_bytes) - (address - allocation->address)) {
    return absl::OutOfRangeError(absl::StrFormat("%d bytes at 0x%x lie outside any allocation", size_bytes, address));
  }
  return allocation;
}

absl::Status DeviceMemory::CopyIn(uint64_t address, const void* source, int64_t size_bytes) {
  if (size_bytes == 0) return absl::OkStatus();
  absl::StatusOr<Allocation*> found = FindRange(address, size_bytes);
  if (!found.ok()) return found.status();
  const uint64_t offset = address - (*found)->address;
  std::memcpy((*found)->host + offset, source, static_cast<size_t>(size_bytes));
  if ((*found)->initialized != nullptr)
    SetRange((*found)->initialized.get(), offset, static_cast<uint64_t>(size_bytes));
  return absl::OkStatus();
}

absl::Status DeviceMemory::CopyOut(uint64_t address, void* destination, int64_t size_bytes) const {
  if (size_bytes == 0) return absl::OkStatus();
  absl::StatusOr<Allocation*> found = FindRange(address, size_bytes);
  if (!found.ok()) return found.status();
  std::memcpy(destination, (*found)->host + (address - (*found)->address), static_cast<size_t>(size_bytes));
  return absl::OkStatus();
}

absl::Status DeviceMemory::CopyWithin(uint64_t destination, uint64_t source, int64_t size_bytes) {
  if (size_bytes == 0) return absl::OkStatus();
  absl::StatusOr<Allocation*> to = FindRange(destination, size_bytes);
  if (!to.ok()) return to.status();
  absl::StatusOr<Allocation*> from = FindRange(source, size_bytes);
  if (!from.ok()) return from.status();
  const uint64_t into = destination - (*to)->address, out_of = source - (*from)->address;
  std::memmove((*to)->host + into, (*from)->host + out_of, static_cast<size_t>(size_bytes));
  if ((*to)->initialized == nullptr) return absl::OkStatus();
  if ((*from)->initialized == nullptr) {
    SetRange((*to)->initialized.get(), into, static_cast<uint64_t>(size_bytes));
    return absl::OkStatus();
  }
  // What nobody wrote stays so in the copy.
  for (uint64_t byte = 0; byte < static_cast<uint64_t>(size_bytes); ++byte) {
    const uint64_t bit = (*from)->initialized[(out_of + byte) >> 6] >> ((out_of + byte) & 63) & 1;
    uint64_t& word = (*to)->initialized[(into + byte) >> 6];
    word = (word & ~(uint64_t{1} << ((into + byte) & 63))) | bit << ((into + byte) & 63);
  }
  return absl::OkStatus();
}

absl::Status DeviceMemory::Fill(uint64_t address, int64_t size_bytes, uint8_t value) {
  if (size_bytes == 0) return absl::OkStatus();
  absl::StatusOr<Allocation*> found = FindRange(address, size_bytes);
  if (!found.ok()) return found.status();
  const uint64_t offset = address - (*found)->address;
  std::memset((*found)->host + offset, value, static_cast<size_t>(size_bytes));
  if ((*found)->initialized != nullptr)
    SetRange((*found)->initialized.get(), offset, static_cast<uint64_t>(size_bytes));
  return absl::OkStatus();
}

absl::Status DeviceMemory::MarkUninitialized(uint64_t address) {
  Allocation* allocation = Find(address);
  if (allocation == nullptr || allocation->address != address) return absl::NotFoundError("no allocation starts there");
  allocation->initialized = std::make_unique<uint64_t[]>(ByteWords(allocation->size_bytes));
  return absl::OkStatus();
}

void DeviceMemory::ResetSectors() {
  for (const auto& allocation : allocations_) {
    const size_t words = SectorWords(allocation->size_bytes);
    for (auto* bits : {&allocation->loaded_sectors, &allocation->stored_sectors}) {
      if (*bits == nullptr) {
        *bits = std::make_unique<uint64_t[]>(words);
      } else {
        std::memset(bits->get(), 0, words * sizeof(uint64_t));
      }
    }
  }
}

int64_t DeviceMemory::CountLoadedSectors() const {
  int64_t count = 0;
  for (const auto& a : allocations_)
    count += a->loaded_sectors == nullptr ? 0 : CountBits(a->loaded_sectors.get(), SectorWords(a->size_bytes));
  return count;
}

int64_t DeviceMemory::CountStoredSectors() const {
  int64_t count = 0;
  for (const auto& a : allocations_)
    count += a->stored_sectors == nullptr ? 0 : CountBits(a->stored_sectors.get(), SectorWords(a->size_bytes));
  return count;
}

}  // namespace cudaperf::emulator
