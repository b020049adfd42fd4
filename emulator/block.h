#ifndef CUDAPERF_EMULATOR_BLOCK_H_
#define CUDAPERF_EMULATOR_BLOCK_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "emulator/launch_state.h"
#include "emulator/shared_shadow.h"
#include "emulator/warp.h"

namespace cudaperf::emulator {

class Worker;

// One thread block: its warps, shared memory and barriers. Its storage is used again for the next block.
class Block {
 public:
  static constexpr int kBarriers = 16;

  enum class Result { kDone, kYielded, kStopped };

  // `worker`: not owned; outlives this.
  explicit Block(Worker* worker);
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;

  void Start(int64_t linear_index);
  // Runs warps in the launch's order, each until it waits, until all have ended or all of them spin.
  Result Run();

  BarrierResult Arrive(Warp& warp, const Instruction& instruction);
  const std::array<int64_t, 3>& index() const { return index_; }
  int64_t footprint_bytes() const { return footprint_bytes_; }

 private:
  struct Barrier {
    int64_t arrived = 0;
    // 0: all live threads of the block.
    int64_t expected = 0;
    uint32_t true_count = 0;
    uint32_t voted = 0;
    uint32_t instruction = 0;
  };

  void FillSystemRows();
  void Shuffle();
  int64_t LiveThreads() const;
  bool IsComplete(const Barrier& barrier) const;
  void Complete(int id);
  void CompleteAbandoned();
  void WriteReduction(Warp& warp, const Instruction& instruction, uint32_t mask, const Barrier& barrier);
  bool ReleaseWarpSync();
  void ReportDeadlock();

  Worker* worker_;
  std::array<int64_t, 3> index_ = {0, 0, 0};
  int64_t footprint_bytes_ = 0;
  int64_t linear_index_ = 0;
  uint64_t phase_ = 0;
  std::vector<Warp> warps_;
  std::vector<uint32_t> order_;
  std::unique_ptr<std::byte[]> registers_;
  std::vector<uint32_t> predicates_;
  std::vector<std::byte> shared_;
  std::vector<std::byte> local_;
  std::unique_ptr<SharedShadow> shadow_;
  std::array<Barrier, kBarriers> barriers_;
};

}  // namespace cudaperf::emulator

#endif  // CUDAPERF_EMULATOR_BLOCK_H_
