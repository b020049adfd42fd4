#ifndef CUDAPERF_EMULATOR_WORKER_H_
#define CUDAPERF_EMULATOR_WORKER_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cudaperf/reward/v1/report.pb.h"
#include "emulator/block.h"
#include "emulator/launch_state.h"
#include "emulator/warp.h"

namespace cudaperf::emulator {

// One host thread's part of a launch: takes blocks in order and runs them, several in turn when they wait for each
// other. Counts what it ran. Not thread-safe; the launch state it shares is.
class Worker {
 public:
  explicit Worker(LaunchState* launch);

  // Returns when the grid is done or the launch has stopped.
  void Run();

  LaunchState& launch() { return *launch_; }
  const LaunchState& launch() const { return *launch_; }
  // Takes what the warp ran since the last time from the launch's budget; false when that is used up.
  bool Charge(Warp& warp);

  // A finding that does not stop the launch; counted again when it is known at this instruction.
  void Note(reward::v1::FindingKind kind, const Warp& warp, const Instruction& instruction, int lane,
            std::string message);
  // A finding with the place it happened at.
  reward::v1::Finding Locate(reward::v1::FindingKind kind, const Warp& warp, const Instruction& instruction, int lane,
                             std::string message) const;

  std::vector<ExecutionCount> counts;
  std::vector<MemoryCount> memory;
  std::vector<Allocation*> allocation_cache;
  std::vector<AccessPattern> shared_patterns;
  std::vector<AccessPattern> global_patterns;
  int64_t longest_warp = 0;
  std::map<std::pair<int, uint32_t>, reward::v1::Finding> findings;

 private:
  // Blocks one worker keeps unfinished at a time, within the memory they may take.
  static constexpr size_t kMostResidentBlocks = 4096;
  static constexpr int64_t kMostResidentBytes = int64_t{512} << 20;

  bool StartBlock();

  LaunchState* launch_;
  std::vector<std::unique_ptr<Block>> resident_;
  std::vector<std::unique_ptr<Block>> idle_;
};

}  // namespace cudaperf::emulator

#endif  // CUDAPERF_EMULATOR_WORKER_H_
