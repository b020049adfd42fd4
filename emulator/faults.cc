// The rare paths of the interpreter: faults, findings, progress.
#include <bit>
#include <chrono>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "emulator/block.h"
#include "emulator/device_memory.h"
#include "emulator/shared_shadow.h"
#include "emulator/warp.h"
#include "emulator/worker.h"

namespace cudaperf::emulator {
namespace {

using reward::v1::Finding;
using reward::v1::FindingKind;

constexpr int64_t kCheckInterval = 1024;
constexpr int32_t kSpinLimit = 16;
constexpr uint64_t kNullPageBytes = 1 << 16;
// A stray access this far from an allocation is not told by it.
constexpr uint64_t kNearBytes = uint64_t{1} << 32;

std::string_view VerbOf(const Instruction& i) {
  if (i.mode == Mode::kStore || i.opcode == Opcode::kStmatrix) return "store";
  switch (i.opcode) {
    case Opcode::kSt:
      return "store";
    case Opcode::kAtom:
    case Opcode::kRed:
      return "atomic";
    default:
      return "load";
  }
}

std::string NameOf(const Allocation& a) {
  return a.name.empty() ? "an unnamed allocation" : absl::StrCat("`", a.name, "`");
}

std::string DescribeStray(Warp& warp, const Instruction& i, uint64_t address, int bytes) {
  const std::string access = absl::StrFormat("%d-byte %s", bytes, VerbOf(i));
  if (address < kNullPageBytes) return absl::StrFormat("%s through a null pointer (address 0x%x)", access, address);
  const Allocation* near = warp.worker->launch().memory->Nearest(address);
  if (near == nullptr) return absl::StrFormat("%s at 0x%x: nothing is allocated", access, address);
  const uint64_t end = near->address + static_cast<uint64_t>(near->size_bytes);
  const int64_t elements = near->size_bytes / near->element_size_bytes;
  if (address + kNearBytes < near->address || address > end + kNearBytes) {
    return absl::StrFormat("%s at 0x%x: far from every allocation", access, address);
  }
  if (address < near->address) {
    return absl::StrFormat("%s %d bytes before the start of %s (%d elements of %d bytes)", access,
                           near->address - address, NameOf(*near), elements, near->element_size_bytes);
  }
  return absl::StrFormat("%s at element %d of %s, which has %d elements of %d bytes: %d bytes past the end", access,
                         static_cast<int64_t>(address - near->address) / near->element_size_bytes, NameOf(*near),
                         elements, near->element_size_bytes,
                         static_cast<int64_t>(address + static_cast<uint64_t>(bytes) - end));
}

std::string DescribeFault(Warp& warp, const Instruction& i, FaultKind kind, uint64_t address, int bytes) {
  const LaunchState& launch = warp.worker->launch();
  switch (kind) {
    case FaultKind::kOutOfBounds:
      return DescribeStray(warp, i, address, bytes);
    case FaultKind::kMisaligned:
      return absl::StrFormat("%d-byte %s at 0x%x, which is not a multiple of %d", bytes, VerbOf(i), address, bytes);
    case FaultKind::kReadOnly: {
      const Allocation* target = launch.memory->Nearest(address);
      return absl::StrFormat("%s to %s, which is read-only", VerbOf(i), target == nullptr ? "memory" : NameOf(*target));
    }
    case FaultKind::kSharedRange:
      return absl::StrFormat("%d-byte %s at byte %d of shared memory, which has %d bytes", bytes, VerbOf(i), address,
                             warp.shared_bytes);
    case FaultKind::kLocalRange:
      return absl::StrFormat("%d-byte %s at byte %d of the thread's local memory, which has %d bytes", bytes, VerbOf(i),
                             address, warp.local_bytes);
    case FaultKind::kParameterRange:
      return absl::StrFormat("%s at byte %d of the kernel's parameters, which have %d bytes", VerbOf(i), address,
                             warp.parameter_bytes);
    case FaultKind::kTrap:
      return "the kernel trapped";
    case FaultKind::kAssert:
      return "a device assertion failed";
    case FaultKind::kBudget:
      return absl::StrFormat("the launch ran more than its budget of %d warp instructions",
                             launch.options.instruction_budget);
    case FaultKind::kCallTarget:
      return absl::StrFormat("call through a pointer to 0x%x, where no function is", address);
    case FaultKind::kStackOverflow:
      return absl::StrFormat("the stack is full after %d nested calls", bytes);
    case FaultKind::kUnsupported:
      break;
  }
  return "";
}

FindingKind FindingOf(FaultKind kind) {
  switch (kind) {
    case FaultKind::kMisaligned:
      return reward::v1::FINDING_KIND_MISALIGNED;
    case FaultKind::kReadOnly:
      return reward::v1::FINDING_KIND_READ_ONLY_WRITE;
    case FaultKind::kLocalRange:
    case FaultKind::kStackOverflow:
      return reward::v1::FINDING_KIND_STACK_OVERFLOW;
    case FaultKind::kTrap:
    case FaultKind::kAssert:
    case FaultKind::kCallTarget:
      return reward::v1::FINDING_KIND_DEVICE_TRAP;
    case FaultKind::kBudget:
      return reward::v1::FINDING_KIND_INSTRUCTION_BUDGET;
    default:
      return reward::v1::FINDING_KIND_OUT_OF_BOUNDS;
  }
}

}  // namespace

bool RaiseFault(Warp& warp, const Instruction& i, FaultKind kind, int lane, uint64_t address, int bytes) {
  LaunchState& launch = warp.worker->launch();
  if (kind == FaultKind::kUnsupported) {
    const std::string& name = launch.code->unsupported[i.immediate];
    launch.Stop(LaunchEnd{LaunchResult::Status::kUnsupported, absl::StrCat("unsupported: ", name), std::nullopt});
    return false;
  }
  Finding finding = warp.worker->Locate(FindingOf(kind), warp, i, lane, DescribeFault(warp, i, kind, address, bytes));
  finding.set_fatal(true);
  const auto status = kind == FaultKind::kBudget ? LaunchResult::Status::kBudget : LaunchResult::Status::kFault;
  launch.Stop(LaunchEnd{status, finding.message(), finding});
  return false;
}

void NoteUninitialized(Warp& warp, const Instruction& i, int lane, uint64_t address, int bytes, Space space) {
  std::string message;
  if (space == Space::kShared) {
    message = absl::StrFormat("%d-byte load at byte %d of shared memory, which no thread of the block has written",
                              bytes, address);
  } else {
    const Allocation* target = warp.worker->launch().memory->Find(address);
    message = target == nullptr
                  ? absl::StrFormat("%d-byte load of memory that nobody wrote", bytes)
                  : absl::StrFormat("%d-byte load of element %d of %s, which nobody wrote", bytes,
                                    static_cast<int64_t>(address - target->address) / target->element_size_bytes,
                                    NameOf(*target));
  }
  warp.worker->Note(reward::v1::FINDING_KIND_UNINITIALIZED_READ, warp, i, lane, std::move(message));
}

void NoteSharedRace(Warp& warp, const Instruction& i, int lane, uint32_t address, int other_warp, const char* what) {
  warp.worker->Note(reward::v1::FINDING_KIND_SHARED_RACE, warp, i, lane,
                    absl::StrFormat("%s byte %d of shared memory, which warp %d touched too, with no barrier between",
                                    what, address, other_warp));
}

bool CheckProgress(Warp& warp, const Instruction& i, bool* yield) {
  LaunchState& launch = warp.worker->launch();
  if (launch.stopped.load(std::memory_order_relaxed)) return false;
  const bool spinning = warp.spins >= kSpinLimit;
  warp.spins = 0;
  if (!warp.worker->Charge(warp)) return RaiseFault(warp, i, FaultKind::kBudget, std::countr_zero(warp.mask), 0, 0);
  warp.check_at = warp.executed + kCheckInterval;
  if (spinning) {
    warp.Rotate(true);
    *yield = true;
  }
  return true;
}

Allocation* FindAllocation(Warp& warp, uint64_t address) { return warp.worker->launch().memory->Find(address); }

uint64_t ReadClock(const Warp& warp) { return static_cast<uint64_t>(warp.executed) * 4; }

uint64_t ReadGlobalTimer() {
  return static_cast<uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch())
          .count());
}

BarrierResult ArriveAtBarrier(Warp& warp, const Instruction& i) { return warp.block->Arrive(warp, i); }

void ShadowLoad(Warp& warp, const Instruction& i, uint32_t mask, const uint64_t* addresses, int bytes, bool tracked) {
  uint64_t last = ~uint64_t{0};
  for (uint32_t m = mask; m != 0; m &= m - 1) {
    const int lane = std::countr_zero(m);
    if (addresses[lane] == last) continue;
    last = addresses[lane];
    const auto address = static_cast<uint32_t>(last);
    if (!warp.shadow->IsAnyWritten(address, bytes)) NoteUninitialized(warp, i, lane, address, bytes, Space::kShared);
    if (!tracked) continue;
    if (const int other = warp.shadow->Load(address, bytes, warp.id); other >= 0)
      NoteSharedRace(warp, i, lane, address, other, "reads");
  }
}

void ShadowStore(Warp& warp, const Instruction& i, uint32_t mask, const uint64_t* addresses, int offset, int bytes,
                 uint32_t same) {
  for (uint32_t m = mask; m != 0; m &= m - 1) {
    const int lane = std::countr_zero(m);
    const auto address = static_cast<uint32_t>(addresses[lane]) + static_cast<uint32_t>(offset);
    const int other = warp.shadow->Store(address, bytes, warp.id, same >> lane & 1);
    if (other >= 0) NoteSharedRace(warp, i, lane, address, other, "writes");
  }
}

void ShadowMarkWritten(Warp& warp, uint32_t mask, const uint64_t* addresses, int bytes) {
  for (uint32_t m = mask; m != 0; m &= m - 1)
    warp.shadow->MarkWritten(static_cast<uint32_t>(addresses[std::countr_zero(m)]), bytes);
}

void ShadowFence(Warp& warp) { warp.shadow->Advance(); }

}  // namespace cudaperf::emulator
