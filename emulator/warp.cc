#include "emulator/warp.h"

#include <bit>

namespace cudaperf::emulator {

void Warp::Start(uint32_t lanes) {
  live = mask = lanes;
  carry = 0;
  pc = 0;
  join = -1;
  join_pc = kNoPc;
  sync_granted = false;
  executed = check_at = charged = 0;
  spins = 0;
  others.clear();
  joins.clear();
  frames.clear();
  saved_bytes = 0;
}

void Warp::SetCurrent(const Split& split) {
  pc = split.pc;
  mask = split.mask;
  join = split.join;
  join_pc = join < 0 ? kNoPc : joins[join].pc;
}

int32_t Warp::MakeJoin(uint32_t at, uint32_t expected, int32_t parent) {
  const Join made{.pc = at, .expected = expected, .arrived = 0, .parent = parent, .in_use = true};
  for (size_t i = 0; i < joins.size(); ++i) {
    if (joins[i].in_use) continue;
    joins[i] = made;
    return static_cast<int32_t>(i);
  }
  joins.push_back(made);
  return static_cast<int32_t>(joins.size() - 1);
}

void Warp::Diverge(const Instruction& instruction, uint32_t taken) {
  uint32_t targets[kWarpLanes];
  for (int lane = 0; lane < kWarpLanes; ++lane) targets[lane] = taken >> lane & 1 ? instruction.target : pc + 1;
  DivergeIndexed(instruction, targets);
}

void Warp::DivergeIndexed(const Instruction& instruction, const uint32_t* targets) {
  const uint32_t all = mask;
  const uint32_t meet = instruction.reconverge;
  int32_t to = join;
  if (meet != kNoPc && meet != join_pc) to = MakeJoin(meet, all, join);
  // Last pushed runs first: the lowest target, which stays in a loop rather than leaves it.
  std::vector<Split> sides;
  for (uint32_t left = all; left != 0;) {
    const uint32_t target = targets[std::countr_zero(left)];
    uint32_t lanes = 0;
    for (uint32_t m = left; m != 0; m &= m - 1) {
      if (targets[std::countr_zero(m)] == target) lanes |= m & (0 - m);
    }
    left &= ~lanes;
    if (to >= 0 && target == joins[to].pc) {
      joins[to].arrived |= lanes;
    } else {
      sides.push_back(Split{.pc = target, .mask = lanes, .join = to});
    }
  }
  size_t lowest = 0;
  for (size_t i = 1; i < sides.size(); ++i) lowest = sides[i].pc < sides[lowest].pc ? i : lowest;
  for (size_t i = 0; i < sides.size(); ++i) {
    if (i != lowest) others.push_back(sides[i]);
  }
  SetCurrent(sides[lowest]);
}

// All lanes of the join are there: they become a split of the parent.
void Warp::CompleteJoin(int32_t index) {
  Join& done = joins[index];
  Split split{.pc = done.pc, .mask = done.arrived, .join = done.parent};
  done.in_use = false;
  // Lanes that meet at their parent's place too have arrived there as well.
  while (split.join >= 0 && joins[split.join].pc == split.pc) {
    Join& parent = joins[split.join];
    parent.arrived |= split.mask;
    if (parent.arrived != parent.expected) return;
    split.mask = parent.arrived;
    split.join = parent.parent;
    parent.in_use = false;
  }
  others.push_back(split);
}

bool Warp::Arrive() {
  Join& at = joins[join];
  at.arrived |= mask;
  mask = 0;
  if (at.arrived == at.expected) CompleteJoin(join);
  return PickNext();
}

bool Warp::Exit(uint32_t lanes) {
  live &= ~lanes;
  mask &= ~lanes;
  for (int32_t at = join; at >= 0; at = joins[at].parent) joins[at].expected &= ~lanes;
  CompleteWithout(join, -1);
  return mask != 0 || PickNext();
}

bool Warp::Suspend(Split::State state, uint8_t barrier) {
  others.push_back(Split{.pc = pc, .mask = mask, .join = join, .state = state, .barrier = barrier});
  mask = 0;
  return PickNext();
}

bool Warp::PickNext() {
  for (size_t i = others.size(); i-- > 0;) {
    if (others[i].state != Split::State::kRunnable) continue;
    const Split next = others[i];
    others.erase(others.begin() + static_cast<ptrdiff_t>(i));
    SetCurrent(next);
    return true;
  }
  mask = 0;
  join = -1;
  join_pc = kNoPc;
  return false;
}

void Warp::Rotate(bool spinning) {
  if (spinning) {
    for (Join& waiting : joins) {
      if (!waiting.in_use || waiting.arrived == 0) continue;
      others.push_back(Split{.pc = waiting.pc, .mask = waiting.arrived, .join = waiting.parent});
      waiting.expected &= ~waiting.arrived;
      waiting.arrived = 0;
    }
  }
  for (size_t i = 0; i < others.size(); ++i) {
    if (others[i].state != Split::State::kRunnable) continue;
    const Split next = others[i];
    others.erase(others.begin() + static_cast<ptrdiff_t>(i));
    others.push_back(Split{.pc = pc, .mask = mask, .join = join});
    SetCurrent(next);
    return;
  }
}

bool Warp::ReleaseWarpSync() {
  bool released = false;
  for (Split& split : others) {
    if (split.state != Split::State::kAtWarpSync || released) continue;
    split.state = Split::State::kRunnable;
    released = true;
  }
  if (released && mask == 0 && PickNext()) sync_granted = true;
  return released;
}

Warp::SyncResult Warp::SyncLanes(uint32_t members, uint32_t* gathered) {
  *gathered = mask;
  const uint32_t wanted = sync_granted ? mask : members & live;
  sync_granted = false;
  uint32_t here = mask;
  for (const Split& split : others) {
    if (split.state == Split::State::kAtWarpSync && split.pc == pc) here |= split.mask;
  }
  if ((wanted & ~here) != 0 && live != mask) {
    // The others may still come.
    return Suspend(Split::State::kAtWarpSync, 0) ? SyncResult::kWaiting : SyncResult::kNoneRunnable;
  }
  for (Split& split : others) {
    if (split.state != Split::State::kAtWarpSync || split.pc != pc || (split.mask & members) == 0) continue;
    *gathered |= split.mask;
    split.state = Split::State::kRunnable;
    ++split.pc;
  }
  return SyncResult::kRun;
}

}  // namespace cudaperf::emulator
