// Calls of recursive functions: a frame saves the callee's registers and variables for the lanes that call.
#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "emulator/warp.h"

namespace cudaperf::emulator {
namespace {

constexpr uint32_t kMostDepth = 512;
// What the frames of one warp may save.
constexpr size_t kMostSavedBytes = size_t{8} << 20;
constexpr size_t kRowLaneBytes = kWarpLanes;

std::byte* LocalOf(const Warp& warp, int lane) { return warp.local + static_cast<size_t>(lane) * warp.local_bytes; }

size_t SavedBytes(const FrameLayout& layout) {
  size_t bytes = layout.predicate_count * sizeof(uint32_t) + size_t{layout.local_bytes} * kWarpLanes;
  for (const FrameLayout::Row& row : layout.rows) bytes += row.lane_bytes * kRowLaneBytes;
  return bytes;
}

void Save(const Warp& warp, const FrameLayout& layout, std::vector<std::byte>& saved) {
  saved.resize(SavedBytes(layout));
  std::byte* to = saved.data();
  for (const FrameLayout::Row& row : layout.rows) {
    std::memcpy(to, warp.registers + row.offset, row.lane_bytes * kRowLaneBytes);
    to += row.lane_bytes * kRowLaneBytes;
  }
  std::memcpy(to, warp.predicates + layout.first_predicate, layout.predicate_count * sizeof(uint32_t));
  to += layout.predicate_count * sizeof(uint32_t);
  for (int lane = 0; lane < kWarpLanes; ++lane, to += layout.local_bytes) {
    std::memcpy(to, LocalOf(warp, lane) + layout.first_local_byte, layout.local_bytes);
  }
}

// The lanes of `mask` get back what was saved; the others may be deeper in the same function.
void Restore(Warp& warp, const FrameLayout& layout, const std::vector<std::byte>& saved, uint32_t mask) {
  const std::byte* from = saved.data();
  for (const FrameLayout::Row& row : layout.rows) {
    for (uint32_t m = mask; m != 0; m &= m - 1) {
      const size_t at = static_cast<size_t>(std::countr_zero(m)) * row.lane_bytes;
      std::memcpy(warp.registers + row.offset + at, from + at, row.lane_bytes);
    }
    from += row.lane_bytes * kRowLaneBytes;
  }
  for (uint32_t k = 0; k < layout.predicate_count; ++k, from += sizeof(uint32_t)) {
    uint32_t old;
    std::memcpy(&old, from, sizeof(old));
    uint32_t& predicate = warp.predicates[layout.first_predicate + k];
    predicate = (predicate & ~mask) | (old & mask);
  }
  for (uint32_t m = mask; m != 0; m &= m - 1) {
    const int lane = std::countr_zero(m);
    std::memcpy(LocalOf(warp, lane) + layout.first_local_byte, from + static_cast<size_t>(lane) * layout.local_bytes,
                layout.local_bytes);
  }
}

}  // namespace

int32_t Warp::FrameOf(int32_t at) const {
  while (at >= 0 && joins[static_cast<size_t>(at)].frame < 0) at = joins[static_cast<size_t>(at)].parent;
  return at < 0 ? -1 : joins[static_cast<size_t>(at)].frame;
}

bool Warp::Call(const Instruction& instruction) {
  const CallSite& site = code->calls[static_cast<size_t>(instruction.immediate)];
  const FrameLayout& layout = code->frames[site.frame];
  const int32_t outer = FrameOf(join);
  CallFrame frame;
  if (!idle_frames.empty()) {
    frame.saved = std::move(idle_frames.back());
    idle_frames.pop_back();
  }
  frame.depth = outer < 0 ? 1 : frames[static_cast<size_t>(outer)].depth + 1;
  frame.stack_top = outer < 0 ? code->stack_begin : frames[static_cast<size_t>(outer)].stack_top;
  frame.return_pc = pc + 1;
  frame.call = static_cast<uint32_t>(instruction.immediate);
  uint32_t places[kMostFrameVariables];
  bool fits = frame.depth <= kMostDepth && saved_bytes + SavedBytes(layout) <= kMostSavedBytes &&
              layout.variables.size() <= kMostFrameVariables;
  for (size_t k = 0; fits && k < layout.variables.size(); ++k) {
    const FrameLayout::Variable& variable = layout.variables[k];
    places[k] = (frame.stack_top + variable.align_bytes - 1) / variable.align_bytes * variable.align_bytes;
    fits = places[k] + variable.size_bytes <= local_bytes;
    frame.stack_top = places[k] + variable.size_bytes;
  }
  if (!fits)
    return RaiseFault(*this, instruction, FaultKind::kStackOverflow, std::countr_zero(mask), 0,
                      static_cast<int>(frame.depth));
  Save(*this, layout, frame.saved);
  saved_bytes += frame.saved.size();
  for (uint32_t m = mask; m != 0; m &= m - 1) {
    const int lane = std::countr_zero(m);
    std::byte* own = LocalOf(*this, lane);
    for (const CallSite::Copy& copy : site.arguments) std::memmove(own + copy.callee, own + copy.caller, copy.bytes);
    for (size_t k = 0; k < layout.variables.size(); ++k) {
      reinterpret_cast<uint64_t*>(registers + layout.variables[k].row)[lane] = places[k];
    }
  }
  size_t slot = 0;
  while (slot < frames.size() && frames[slot].depth != 0) ++slot;
  if (slot == frames.size()) frames.emplace_back();
  frames[slot] = std::move(frame);
  const int32_t made = MakeJoin(kNoPc, mask, join);
  joins[static_cast<size_t>(made)].frame = static_cast<int32_t>(slot);
  join = made;
  join_pc = kNoPc;
  pc = instruction.target;
  return true;
}

void Warp::ReleaseFrame(Join& at) {
  if (at.frame < 0) return;
  CallFrame& frame = frames[static_cast<size_t>(at.frame)];
  saved_bytes -= frame.saved.size();
  idle_frames.push_back(std::move(frame.saved));
  frame = CallFrame{};
  at.frame = -1;
}

bool Warp::Return() {
  // Joins inside the function wait for these lanes no more.
  int32_t at = join;
  while (at >= 0 && joins[static_cast<size_t>(at)].frame < 0) {
    joins[static_cast<size_t>(at)].expected &= ~mask;
    at = joins[static_cast<size_t>(at)].parent;
  }
  if (at < 0) return false;
  const int32_t inner = join;
  Join& end = joins[static_cast<size_t>(at)];
  end.expected &= ~mask;
  const CallFrame& frame = frames[static_cast<size_t>(end.frame)];
  const CallSite& site = code->calls[frame.call];
  const FrameLayout& layout = code->frames[site.frame];
  std::vector<std::byte> results;
  for (uint32_t m = mask; m != 0; m &= m - 1) {
    const std::byte* own = LocalOf(*this, std::countr_zero(m));
    for (const CallSite::Copy& copy : site.results)
      results.insert(results.end(), own + copy.callee, own + copy.callee + copy.bytes);
  }
  Restore(*this, layout, frame.saved, mask);
  const std::byte* from = results.data();
  for (uint32_t m = mask; m != 0; m &= m - 1) {
    std::byte* own = LocalOf(*this, std::countr_zero(m));
    for (const CallSite::Copy& copy : site.results) {
      std::memcpy(own + copy.caller, from, copy.bytes);
      from += copy.bytes;
    }
  }
  const int32_t parent = end.parent;
  pc = frame.return_pc;
  if (end.expected == 0) {
    ReleaseFrame(end);
    end.in_use = false;
  }
  CompleteWithout(inner, at);
  join = parent;
  join_pc = join < 0 ? kNoPc : joins[static_cast<size_t>(join)].pc;
  return true;
}

// Joins from `at` up to `stop`, whose missing lanes went elsewhere. Innermost first: completing one may complete its
// parents.
void Warp::CompleteWithout(int32_t at, int32_t stop) {
  while (at >= 0 && at != stop) {
    Join& waiting = joins[static_cast<size_t>(at)];
    const int32_t parent = waiting.parent;
    if (waiting.in_use && waiting.expected == 0) {
      ReleaseFrame(waiting);
      waiting.in_use = false;
    } else if (waiting.in_use && waiting.arrived == waiting.expected) {
      CompleteJoin(at);
    }
    at = parent;
  }
}

}  // namespace cudaperf::emulator
