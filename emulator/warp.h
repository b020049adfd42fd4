#ifndef CUDAPERF_EMULATOR_WARP_H_
#define CUDAPERF_EMULATOR_WARP_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "emulator/instruction.h"
#include "emulator/program.h"

namespace cudaperf::emulator {

class Block;
class Worker;
class SharedShadow;
struct Allocation;

// Windows of the generic address space. Global memory lies above all of them, and all below where processes map theirs,
// so that an address of one world is none of the other.
inline constexpr uint64_t kFunctionWindow = 0x0b0000000000;
inline constexpr uint64_t kParameterWindow = 0x0c0000000000;
inline constexpr uint64_t kLocalWindow = 0x0d0000000000;
inline constexpr uint64_t kSharedWindow = 0x0e0000000000;
inline constexpr uint64_t kWindowBytes = 0x010000000000;
inline constexpr uint64_t kGlobalBase = 0x100000000000;

// Stands for the address of function `index` of a module.
constexpr uint64_t FunctionAddress(int32_t index) { return kFunctionWindow + 16 * static_cast<uint64_t>(index); }

// What was counted at one instruction.
struct ExecutionCount {
  int64_t warps = 0;
  // Lanes of the warp at it, and those that its guard switched off.
  int64_t lanes = 0;
  int64_t guarded_lanes = 0;
  // Branches that split the warp.
  int64_t divergent = 0;
};

// What was counted at one memory instruction.
struct MemoryCount {
  int64_t global_requests = 0;
  int64_t sectors = 0;
  int64_t ideal_sectors = 0;
  int64_t bytes = 0;
  int64_t global_lanes = 0;
  int64_t shared_requests = 0;
  int64_t conflicts = 0;
  int64_t local_requests = 0;
  int64_t local_bytes = 0;
  int64_t constant_requests = 0;
  // The lanes' distance on most requests, by majority vote: its candidate, the vote's balance, requests that agreed,
  // and all.
  int64_t stride = 0;
  int64_t stride_balance = 0;
  int64_t stride_matches = 0;
  int64_t stride_samples = 0;
};

// What one instruction's full-warp access looked like last time, relative to its first lane. Most accesses keep their
// shape, and what follows from the shape need not be worked out again.
struct AccessPattern {
  int32_t relative[kWarpLanes] = {};
  // Access size; 0 when nothing is known.
  int32_t bytes = 0;
  int32_t least = 0;
  int32_t most = 0;
  uint32_t low_bits = 0;
  // Shared: wavefronts in excess. Global: sectors, when the first address has this place in its sector, and the rest.
  int32_t conflicts = 0;
  uint32_t sector_offset = 0;
  int64_t sectors = 0;
  int64_t ideal_sectors = 0;
  int64_t stride = 0;
};

// Lanes of a warp that are at the same instruction.
struct Split {
  enum class State : uint8_t { kRunnable, kAtBarrier, kAtWarpSync };
  uint32_t pc = 0;
  uint32_t mask = 0;
  // Index into Warp::joins of where it meets its siblings; -1: at the end only.
  int32_t join = -1;
  State state = State::kRunnable;
  uint8_t barrier = 0;
};

// Where diverged lanes wait for each other.
struct Join {
  uint32_t pc = 0;
  uint32_t expected = 0;
  uint32_t arrived = 0;
  int32_t parent = -1;
  // Index into Warp::frames of the call whose lanes it holds until they return; -1: an ordinary join.
  int32_t frame = -1;
  bool in_use = false;
};

// A call of a recursive function that has not returned.
struct CallFrame {
  uint32_t return_pc = 0;
  // Index into Code::calls.
  uint32_t call = 0;
  // Calls on the way here; 0: the slot is free.
  uint32_t depth = 0;
  // First free byte of the lanes' local memory.
  uint32_t stack_top = 0;
  // What the callee's registers and variables held before.
  std::vector<std::byte> saved;
};

// `.local` variables a recursive function may have: the compiler makes one.
inline constexpr size_t kMostFrameVariables = 64;

enum class RunResult : uint8_t { kBlocked, kYielded, kFinished, kStopped };

// One warp: its registers as rows of 32 lanes, and its lanes' places in the program. The running split is held apart.
struct Warp {
  std::byte* registers = nullptr;
  const std::byte* constants = nullptr;
  uint32_t* predicates = nullptr;
  std::byte* shared = nullptr;
  uint32_t shared_bytes = 0;
  std::byte* local = nullptr;
  uint32_t local_bytes = 0;
  const std::byte* parameters = nullptr;
  uint32_t parameter_bytes = 0;
  Worker* worker = nullptr;
  Block* block = nullptr;
  SharedShadow* shadow = nullptr;
  const Code* code = nullptr;
  const Instruction* instructions = nullptr;
  const uint32_t* elements = nullptr;
  ExecutionCount* counts = nullptr;
  MemoryCount* memory = nullptr;
  Allocation** allocation_cache = nullptr;
  // By memory instruction, for its shared and its global accesses.
  AccessPattern* shared_patterns = nullptr;
  AccessPattern* global_patterns = nullptr;
  bool checkers = false;

  int32_t id = 0;
  // Lanes that have not exited.
  uint32_t live = 0;
  // Carry flags of add.cc and its kin.
  uint32_t carry = 0;
  // The running split.
  uint32_t pc = 0;
  uint32_t mask = 0;
  int32_t join = -1;
  uint32_t join_pc = kNoPc;
  // The split came out of a wait for its member mask and runs the instruction now.
  bool sync_granted = false;

  int64_t executed = 0;
  int64_t check_at = 0;
  // Of `executed`, what the launch's budget has paid.
  int64_t charged = 0;
  // Volatile loads, exchanges and sleeps since the last check: signs of a lane that waits for another.
  int32_t spins = 0;

  std::vector<Split> others;
  std::vector<Join> joins;
  std::vector<CallFrame> frames;
  // Buffers of frames that returned.
  std::vector<std::vector<std::byte>> idle_frames;
  size_t saved_bytes = 0;

  // All lanes of `mask` start at the first instruction.
  void Start(uint32_t lanes);
  // Splits the running lanes: `taken` goes to the instruction's target, the rest to the next one. Both not empty.
  void Diverge(const Instruction& instruction, uint32_t taken);
  // The same for branches with many targets, one lane's target each.
  void DivergeIndexed(const Instruction& instruction, const uint32_t* targets);
  // The running split has reached its join. False when no split can run.
  bool Arrive();
  // The running lanes of `lanes` end. False when no split can run.
  bool Exit(uint32_t lanes);
  // The running lanes call a recursive function. False when the stack is full; the fault is raised.
  bool Call(const Instruction& instruction);
  // The running lanes go back to where they were called. False when nobody called.
  bool Return();
  // Puts the running split aside. False when no other can run.
  bool Suspend(Split::State state, uint8_t barrier);
  // Picks a runnable split. False when there is none.
  bool PickNext();
  // Gives another split the turn; waiting lanes are let go when the rest seems to spin.
  void Rotate(bool spinning);
  // Lets warp-synchronising splits run with the lanes that came. False when there were none.
  bool ReleaseWarpSync();
  // Whether the running split may run its warp-synchronising instruction over `members`; may put the split aside.
  enum class SyncResult : uint8_t { kRun, kWaiting, kNoneRunnable };
  SyncResult SyncLanes(uint32_t members, uint32_t* gathered);

 private:
  int32_t MakeJoin(uint32_t at, uint32_t expected, int32_t parent);
  void CompleteJoin(int32_t index);
  void CompleteWithout(int32_t at, int32_t stop);
  void ReleaseFrame(Join& at);
  int32_t FrameOf(int32_t at) const;
  void SetCurrent(const Split& split);
};

// Faults and findings, out of line since they are rare. RaiseFault returns false, for handlers to return.
enum class FaultKind : uint8_t {
  kOutOfBounds,
  kMisaligned,
  kReadOnly,
  kSharedRange,
  kLocalRange,
  kParameterRange,
  kTrap,
  kAssert,
  kUnsupported,
  kBudget,
  kCallTarget,
  kStackOverflow
};
bool RaiseFault(Warp& warp, const Instruction& instruction, FaultKind kind, int lane, uint64_t address, int bytes);
void NoteUninitialized(Warp& warp, const Instruction& instruction, int lane, uint64_t address, int bytes, Space space);
void NoteSharedRace(Warp& warp, const Instruction& instruction, int lane, uint32_t address, int other_warp,
                    const char* what);
// Budget, other threads' faults and spinning; called now and then at backward branches. False stops the launch.
bool CheckProgress(Warp& warp, const Instruction& instruction, bool* yield);
// Barriers of the block. A waiting split was put aside; kNoneRunnable: and nothing else of the warp can run.
enum class BarrierResult : uint8_t { kPassed, kWaiting, kNoneRunnable, kFault };
BarrierResult ArriveAtBarrier(Warp& warp, const Instruction& instruction);
// Checks of shared memory, when `warp.shadow` is set: the lanes of `mask` at `addresses`, `offset` further on for
// stores. `same`: lanes that write what is there already.
void ShadowLoad(Warp& warp, const Instruction& instruction, uint32_t mask, const uint64_t* addresses, int bytes,
                bool tracked);
void ShadowStore(Warp& warp, const Instruction& instruction, uint32_t mask, const uint64_t* addresses, int offset,
                 int bytes, uint32_t same);
void ShadowMarkWritten(Warp& warp, uint32_t mask, const uint64_t* addresses, int bytes);
void ShadowFence(Warp& warp);
// Finds the allocation of a global address, or null.
Allocation* FindAllocation(Warp& warp, uint64_t address);
uint64_t ReadClock(const Warp& warp);
uint64_t ReadGlobalTimer();

}  // namespace cudaperf::emulator

#endif  // CUDAPERF_EMULATOR_WARP_H_
