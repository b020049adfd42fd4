#include "emulator/shared_shadow.h"

namespace cudaperf::emulator {

void SharedShadow::Reset() {
  ++epoch_;
  ++block_;
}

int SharedShadow::Load(uint32_t address, int bytes, int warp) {
  int other = -1;
  for (uint32_t at = address; at < address + static_cast<uint32_t>(bytes) && at < bytes_.size(); ++at) {
    Byte& byte = bytes_[at];
    if (byte.write_epoch == epoch_ && byte.writer != warp && byte.value_changed) other = byte.writer;
    byte.reader = static_cast<int16_t>(byte.read_epoch == epoch_ && byte.reader != warp ? -2 : warp);
    byte.read_epoch = epoch_;
  }
  return other;
}

int SharedShadow::Store(uint32_t address, int bytes, int warp, bool same_value) {
  int other = -1;
  for (uint32_t at = address; at < address + static_cast<uint32_t>(bytes) && at < bytes_.size(); ++at) {
    Byte& byte = bytes_[at];
    if (!same_value) {
      if (byte.write_epoch == epoch_ && byte.writer != warp) other = byte.writer;
      if (byte.read_epoch == epoch_ && byte.reader != warp) other = byte.reader == -2 ? (warp == 0 ? 1 : 0) : byte.reader;
    }
    byte.value_changed = !same_value || (byte.write_epoch == epoch_ && byte.value_changed);
    byte.write_epoch = epoch_;
    byte.writer = static_cast<int16_t>(warp);
  }
  return other;
}

void SharedShadow::MarkWritten(uint32_t address, int bytes) {
  for (uint32_t at = address; at < address + static_cast<uint32_t>(bytes) && at < bytes_.size(); ++at) bytes_[at].written_in = block_;
}

bool SharedShadow::IsAnyWritten(uint32_t address, int bytes) const {
  for (uint32_t at = address; at < address + static_cast<uint32_t>(bytes) && at < bytes_.size(); ++at) {
    if (bytes_[at].written_in == block_) return true;
  }
  return false;
}

}  // namespace cudaperf::emulator
