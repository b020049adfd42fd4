#ifndef CUDAPERF_EMULATOR_SHARED_SHADOW_H_
#define CUDAPERF_EMULATOR_SHARED_SHADOW_H_

#include <cstdint>
#include <vector>

namespace cudaperf::emulator {

// Remembers who touched a block's shared memory since the last barrier. Two warps that touch the same byte between
// barriers, one of them writing another value, race. A fence counts as a barrier: code that has one synchronises by
// flags of its own, which is not followed.
//
// Kept by words of four bytes while all accesses are whole words; a word that is touched in part keeps its bytes apart
// from then on.
class SharedShadow {
 public:
  explicit SharedShadow(uint32_t size_bytes) : size_bytes_(size_bytes), words_((size_bytes + 3) / 4) {}

  // Start of a block: nothing is written.
  void Reset();
  // A barrier or a fence.
  void Advance() { ++epoch_; }

  // The other warp of a race, or -1.
  int Load(uint32_t address, int bytes, int warp) {
    return IsWhole(address, bytes) ? LoadOne(words_[address >> 2].touch, warp) : LoadRange(address, bytes, warp);
  }
  int Store(uint32_t address, int bytes, int warp, bool same_value) {
    return IsWhole(address, bytes) ? StoreOne(words_[address >> 2].touch, warp, same_value)
                                   : StoreRange(address, bytes, warp, same_value);
  }
  void MarkWritten(uint32_t address, int bytes) {
    if (IsWhole(address, bytes)) {
      words_[address >> 2].touch.written_in = block_;
    } else {
      MarkRange(address, bytes);
    }
  }
  bool IsAnyWritten(uint32_t address, int bytes) const {
    return IsWhole(address, bytes) ? words_[address >> 2].touch.written_in == block_
                                   : IsAnyOfRangeWritten(address, bytes);
  }

 private:
  struct Touch {
    uint32_t write_epoch = 0;
    uint32_t read_epoch = 0;
    // Epoch of the block's start: older writes belong to another block.
    uint32_t written_in = 0;
    int16_t writer = -1;
    // -2: several.
    int16_t reader = -1;
    bool value_changed = false;
  };
  struct Word {
    Touch touch;
    // Where its bytes are in `bytes_`; 0: they are all as `touch` says.
    uint32_t apart = 0;
  };

  bool IsWhole(uint32_t address, int bytes) const {
    return bytes == 4 && address % 4 == 0 && address + 4 <= size_bytes_ && words_[address >> 2].apart == 0;
  }
  int LoadOne(Touch& touch, int warp) const {
    const bool races = touch.write_epoch == epoch_ && touch.writer != warp && touch.value_changed;
    touch.reader = static_cast<int16_t>(touch.read_epoch == epoch_ && touch.reader != warp ? -2 : warp);
    touch.read_epoch = epoch_;
    return races ? touch.writer : -1;
  }
  int StoreOne(Touch& touch, int warp, bool same_value) const {
    int other = -1;
    if (!same_value) {
      if (touch.write_epoch == epoch_ && touch.writer != warp) other = touch.writer;
      if (touch.read_epoch == epoch_ && touch.reader != warp)
        other = touch.reader == -2 ? (warp == 0 ? 1 : 0) : touch.reader;
    }
    touch.value_changed = !same_value || (touch.write_epoch == epoch_ && touch.value_changed);
    touch.write_epoch = epoch_;
    touch.writer = static_cast<int16_t>(warp);
    return other;
  }
  int LoadRange(uint32_t address, int bytes, int warp);
  int StoreRange(uint32_t address, int bytes, int warp, bool same_value);
  void MarkRange(uint32_t address, int bytes);
  bool IsAnyOfRangeWritten(uint32_t address, int bytes) const;
  // Runs `function` on what stands for the range: words where it covers them, else bytes.
  template <typename Function>
  void ForEach(uint32_t address, int bytes, Function function);
  Touch* Bytes(Word& word);

  uint32_t size_bytes_;
  std::vector<Word> words_;
  // Four for each word that was touched in part; the first four stand for none.
  std::vector<Touch> bytes_ = std::vector<Touch>(4);
  uint32_t epoch_ = 1;
  uint32_t block_ = 0;
};

}  // namespace cudaperf::emulator

#endif  // CUDAPERF_EMULATOR_SHARED_SHADOW_H_
