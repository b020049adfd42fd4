#include "emulator/shared_shadow.h"

#include <algorithm>

namespace cudaperf::emulator {

void SharedShadow::Reset() {
  ++epoch_;
  ++block_;
}

SharedShadow::Touch* SharedShadow::Bytes(Word& word) {
  if (word.apart == 0) {
    word.apart = static_cast<uint32_t>(bytes_.size());
    bytes_.insert(bytes_.end(), 4, word.touch);
  }
  return &bytes_[word.apart];
}

template <typename Function>
void SharedShadow::ForEach(uint32_t address, int bytes, Function function) {
  const uint32_t end = std::min(address + static_cast<uint32_t>(bytes), size_bytes_);
  for (uint32_t at = address; at < end;) {
    Word& word = words_[at >> 2];
    const uint32_t next = std::min((at & ~3u) + 4, end);
    if (word.apart == 0 && next - at == 4) {
      function(word.touch);
    } else {
      Touch* own = Bytes(word);
      for (uint32_t byte = at; byte < next; ++byte) function(own[byte & 3]);
    }
    at = next;
  }
}

int SharedShadow::LoadRange(uint32_t address, int bytes, int warp) {
  int other = -1;
  ForEach(address, bytes, [&](Touch& touch) { other = std::max(other, LoadOne(touch, warp)); });
  return other;
}

int SharedShadow::StoreRange(uint32_t address, int bytes, int warp, bool same_value) {
  int other = -1;
  ForEach(address, bytes, [&](Touch& touch) { other = std::max(other, StoreOne(touch, warp, same_value)); });
  return other;
}

void SharedShadow::MarkRange(uint32_t address, int bytes) {
  ForEach(address, bytes, [&](Touch& touch) { touch.written_in = block_; });
}

bool SharedShadow::IsAnyOfRangeWritten(uint32_t address, int bytes) const {
  const uint32_t end = std::min(address + static_cast<uint32_t>(bytes), size_bytes_);
  for (uint32_t at = address; at < end; ++at) {
    const Word& word = words_[at >> 2];
    const Touch& touch = word.apart == 0 ? word.touch : bytes_[word.apart + (at & 3)];
    if (touch.written_in == block_) return true;
    if (word.apart == 0) at |= 3;
  }
  return false;
}

}  // namespace cudaperf::emulator
