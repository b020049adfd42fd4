#ifndef CUDAPERF_EMULATOR_SHARED_SHADOW_H_
#define CUDAPERF_EMULATOR_SHARED_SHADOW_H_

#include <cstdint>
#include <vector>

namespace cudaperf::emulator {

// Remembers, for every byte of a block's shared memory, who touched it since the last barrier. Two warps that touch the same
// byte between barriers, one of them writing another value, race. A fence counts as a barrier: code that has one synchronises
// by flags of its own, which is not followed.
class SharedShadow {
 public:
  explicit SharedShadow(uint32_t size_bytes) : bytes_(size_bytes) {}

  // Start of a block: nothing is written.
  void Reset();
  // A barrier or a fence.
  void Advance() { ++epoch_; }

  // The other warp of a race, or -1.
  int Load(uint32_t address, int bytes, int warp);
  int Store(uint32_t address, int bytes, int warp, bool same_value);
  void MarkWritten(uint32_t address, int bytes);
  bool IsAnyWritten(uint32_t address, int bytes) const;

 private:
  struct Byte {
    uint32_t write_epoch = 0;
    uint32_t read_epoch = 0;
    // Epoch of the block's start: older writes belong to another block.
    uint32_t written_in = 0;
    int16_t writer = -1;
    // -2: several.
    int16_t reader = -1;
    bool value_changed = false;
  };

  std::vector<Byte> bytes_;
  uint32_t epoch_ = 1;
  uint32_t block_ = 0;
};

}  // namespace cudaperf::emulator

#endif  // CUDAPERF_EMULATOR_SHARED_SHADOW_H_
