#include "emulator/block.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>

#include "absl/strings/str_format.h"
#include "emulator/worker.h"

namespace cudaperf::emulator {
namespace {

uint64_t Mix(uint64_t value) {
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9u;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebu;
  return value ^ (value >> 31);
}

bool HasRunnable(const Warp& warp) {
  if (warp.mask != 0) return true;
  return std::any_of(warp.others.begin(), warp.others.end(),
                     [](const Split& s) { return s.state == Split::State::kRunnable; });
}

void FillRow(std::byte* registers, uint32_t row, uint32_t value) {
  uint32_t* lanes = reinterpret_cast<uint32_t*>(registers + row);
  std::fill(lanes, lanes + kWarpLanes, value);
}

uint32_t RegisterOf(const Warp& warp, uint32_t row, int lane) {
  const std::byte* base = row & kConstantRow ? warp.constants : warp.registers;
  return reinterpret_cast<const uint32_t*>(base + (row & ~kConstantRow))[lane];
}

}  // namespace

Block::Block(Worker* worker) : worker_(worker) {
  LaunchState& launch = worker->launch();
  const Code& code = *launch.code;
  const auto warp_count = static_cast<size_t>((launch.thread_count + kWarpLanes - 1) / kWarpLanes);
  // Any row may be read as 64-bit lanes: the last one too.
  const size_t register_bytes = (code.register_bytes + 127) / 128 * 128 + 256;
  const size_t predicates = code.predicate_count + 2;
  const size_t local_bytes = (code.local_bytes + 15) / 16 * 16;
  registers_ = std::make_unique<std::byte[]>(register_bytes * warp_count + 64);
  predicates_.resize(predicates * warp_count);
  shared_.resize(static_cast<size_t>(launch.kernel->static_shared_bytes + launch.dynamic_shared_bytes) + 64);
  local_.resize(local_bytes * kWarpLanes * warp_count + 64);
  const auto shared_bytes = static_cast<uint32_t>(launch.kernel->static_shared_bytes + launch.dynamic_shared_bytes);
  if (launch.options.checkers) shadow_ = std::make_unique<SharedShadow>(shared_bytes);
  footprint_bytes_ = static_cast<int64_t>((register_bytes + local_bytes * kWarpLanes) * warp_count +
                                          shared_.size() * (shadow_ ? 24 : 1));
  warps_.resize(warp_count);
  order_.resize(warp_count);
  std::byte* aligned = registers_.get() + (64 - reinterpret_cast<uintptr_t>(registers_.get()) % 64) % 64;
  for (size_t i = 0; i < warp_count; ++i) {
    Warp& warp = warps_[i];
    warp.id = static_cast<int32_t>(i);
    warp.registers = aligned + register_bytes * i;
    warp.constants = reinterpret_cast<const std::byte*>(launch.constants.data());
    warp.predicates = predicates_.data() + predicates * i;
    warp.shared = shared_.data();
    warp.shared_bytes = shared_bytes;
    warp.local = local_.data() + local_bytes * kWarpLanes * i;
    warp.local_bytes = static_cast<uint32_t>(local_bytes);
    warp.parameters = launch.parameters.data();
    warp.parameter_bytes = static_cast<uint32_t>(launch.parameters.size());
    warp.worker = worker;
    warp.block = this;
    warp.shadow = shadow_.get();
    warp.code = &code;
    warp.instructions = code.instructions.data();
    warp.elements = code.elements.data();
    warp.counts = worker->counts.data();
    warp.memory = worker->memory.data();
    warp.allocation_cache = worker->allocation_cache.data();
    warp.shared_patterns = worker->shared_patterns.data();
    warp.global_patterns = worker->global_patterns.data();
    warp.checkers = launch.options.checkers;
    warp.predicates[0] = kAllLanes;
  }
  FillSystemRows();
}

// What stays the same from block to block.
void Block::FillSystemRows() {
  const LaunchState& launch = worker_->launch();
  for (Warp& warp : warps_) {
    for (int lane = 0; lane < kWarpLanes; ++lane) {
      const int64_t thread = int64_t{warp.id} * kWarpLanes + lane;
      const auto set = [&](uint32_t row, uint64_t value) {
        reinterpret_cast<uint32_t*>(warp.registers + row)[lane] = static_cast<uint32_t>(value);
      };
      set(kTidX, thread % launch.block[0]);
      set(kTidY, thread / launch.block[0] % launch.block[1]);
      set(kTidZ, thread / (launch.block[0] * launch.block[1]));
      set(kLaneId, lane);
      set(kLaneMaskEq, uint64_t{1} << lane);
      set(kLaneMaskLt, (uint64_t{1} << lane) - 1);
      set(kLaneMaskLe, (uint64_t{2} << lane) - 1);
      set(kLaneMaskGt, ~((uint64_t{2} << lane) - 1));
      set(kLaneMaskGe, ~((uint64_t{1} << lane) - 1));
    }
    FillRow(warp.registers, kWarpId, static_cast<uint32_t>(warp.id));
    FillRow(warp.registers, kNwarpId, static_cast<uint32_t>(warps_.size()));
    FillRow(warp.registers, kGridIdLow, 1);
    FillRow(warp.registers, kEnvironment1, static_cast<uint32_t>(launch.grid_workspace >> 32));
    FillRow(warp.registers, kEnvironment2, static_cast<uint32_t>(launch.grid_workspace));
    FillRow(warp.registers, kDynamicSharedSize, static_cast<uint32_t>(launch.dynamic_shared_bytes));
    FillRow(warp.registers, kTotalSharedSize, warp.shared_bytes);
    for (uint32_t axis = 0; axis < 3; ++axis) {
      FillRow(warp.registers, kNtidX + 128 * axis, static_cast<uint32_t>(launch.block[axis]));
      FillRow(warp.registers, kNctaidX + 128 * axis, static_cast<uint32_t>(launch.grid[axis]));
    }
  }
}

void Block::Start(int64_t linear_index) {
  const LaunchState& launch = worker_->launch();
  linear_index_ = linear_index;
  index_ = {linear_index % launch.grid[0], linear_index / launch.grid[0] % launch.grid[1],
            linear_index / (launch.grid[0] * launch.grid[1])};
  phase_ = 0;
  barriers_.fill(Barrier{});
  if (shadow_ != nullptr) {
    shadow_->Reset();
    std::fill(shared_.begin(), shared_.end(), std::byte{0xff});
  }
  for (Warp& warp : warps_) {
    const int64_t lanes = std::min<int64_t>(launch.thread_count - int64_t{warp.id} * kWarpLanes, kWarpLanes);
    warp.Start(lanes == kWarpLanes ? kAllLanes : (1u << lanes) - 1);
    for (uint32_t axis = 0; axis < 3; ++axis)
      FillRow(warp.registers, kCtaidX + 128 * axis, static_cast<uint32_t>(index_[axis]));
  }
  std::iota(order_.begin(), order_.end(), 0u);
  if (launch.options.warp_schedule == 1) std::reverse(order_.begin(), order_.end());
}

void Block::Shuffle() {
  const int64_t schedule = worker_->launch().options.warp_schedule;
  if (schedule == 0 || schedule == 1) return;
  uint64_t state =
      Mix(static_cast<uint64_t>(schedule)) + Mix(static_cast<uint64_t>(linear_index_) * 1000003 + phase_++);
  for (size_t i = order_.size(); i > 1; --i) {
    state = Mix(state + i);
    std::swap(order_[i - 1], order_[state % i]);
  }
}

int64_t Block::LiveThreads() const {
  int64_t live = 0;
  for (const Warp& warp : warps_) live += std::popcount(warp.live);
  return live;
}

Block::Result Block::Run() {
  LaunchState& launch = worker_->launch();
  const auto run = launch.operations->run;
  int idle_rounds = 0;
  while (true) {
    if (launch.stopped.load(std::memory_order_relaxed)) return Result::kStopped;
    Shuffle();
    bool ran = false, all_spin = true, all_ended = true;
    for (const uint32_t number : order_) {
      Warp& warp = warps_[number];
      if (warp.live == 0) continue;
      all_ended = false;
      if (!HasRunnable(warp)) continue;
      ran = true;
      const RunResult result = run(warp);
      const bool affordable = worker_->Charge(warp);
      if (result == RunResult::kStopped) return Result::kStopped;
      if (!affordable) {
        RaiseFault(warp, warp.instructions[std::min<size_t>(warp.pc, launch.code->instructions.size() - 1)],
                   FaultKind::kBudget, 0, 0, 0);
        return Result::kStopped;
      }
      all_spin &= result == RunResult::kYielded;
      if (result == RunResult::kFinished) CompleteAbandoned();
    }
    if (all_ended) return Result::kDone;
    if (ran) {
      CompleteAbandoned();
      if (all_spin && ++idle_rounds >= 2) return Result::kYielded;
      continue;
    }
    if (ReleaseWarpSync()) continue;
    ReportDeadlock();
    return Result::kStopped;
  }
}

bool Block::IsComplete(const Barrier& barrier) const {
  if (barrier.arrived == 0) return false;
  return barrier.arrived >= (barrier.expected != 0 ? barrier.expected : LiveThreads());
}

BarrierResult Block::Arrive(Warp& warp, const Instruction& i) {
  const int first = std::countr_zero(warp.mask);
  const uint32_t id = RegisterOf(warp, i.a, first);
  if (id >= kBarriers) {
    RaiseFault(warp, i, FaultKind::kTrap, first, 0, 0);
    return BarrierResult::kFault;
  }
  Barrier& barrier = barriers_[id];
  barrier.expected = i.b_bytes != 0 ? static_cast<int64_t>(RegisterOf(warp, i.b, first)) : 0;
  barrier.arrived += std::popcount(warp.mask);
  // Counts are in whole warps: lanes that ended or never were are there.
  if (i.b_bytes != 0 && warp.mask == warp.live) barrier.arrived += kWarpLanes - std::popcount(warp.live);
  barrier.instruction = warp.pc;
  if (i.source_predicate != kNoPredicate) {
    const uint32_t value = warp.predicates[i.source_predicate >> 1] ^ (0u - (i.source_predicate & 1));
    barrier.true_count += static_cast<uint32_t>(std::popcount(value & warp.mask));
    barrier.voted += static_cast<uint32_t>(std::popcount(warp.mask));
  }
  if (IsComplete(barrier)) {
    WriteReduction(warp, i, warp.mask, barrier);
    Complete(static_cast<int>(id));
    return BarrierResult::kPassed;
  }
  if (i.mode == Mode::kArrive) return BarrierResult::kPassed;
  return warp.Suspend(Split::State::kAtBarrier, static_cast<uint8_t>(id)) ? BarrierResult::kWaiting
                                                                          : BarrierResult::kNoneRunnable;
}

void Block::WriteReduction(Warp& warp, const Instruction& i, uint32_t mask, const Barrier& barrier) {
  if (i.source_predicate == kNoPredicate) return;
  if (i.mode == Mode::kPopc) {
    for (uint32_t m = mask; m != 0; m &= m - 1)
      reinterpret_cast<uint32_t*>(warp.registers + i.dst)[std::countr_zero(m)] = barrier.true_count;
    return;
  }
  const bool holds = i.mode == Mode::kAnd ? barrier.true_count == barrier.voted : barrier.true_count != 0;
  if (i.p == kNoPredicate) return;
  uint32_t& into = warp.predicates[i.p >> 1];
  into = (into & ~mask) | (holds ? mask : 0);
}

void Block::Complete(int id) {
  const Barrier done = barriers_[id];
  barriers_[id] = Barrier{};
  if (shadow_ != nullptr) shadow_->Advance();
  for (Warp& warp : warps_) {
    for (Split& split : warp.others) {
      if (split.state != Split::State::kAtBarrier || split.barrier != id) continue;
      WriteReduction(warp, warp.instructions[split.pc], split.mask, done);
      split.state = Split::State::kRunnable;
      ++split.pc;
    }
  }
}

// Barriers whose missing threads have ended.
void Block::CompleteAbandoned() {
  for (int id = 0; id < kBarriers; ++id) {
    if (barriers_[id].arrived != 0 && IsComplete(barriers_[id])) Complete(id);
  }
}

bool Block::ReleaseWarpSync() {
  bool released = false;
  for (Warp& warp : warps_) released |= warp.mask == 0 && warp.ReleaseWarpSync();
  return released;
}

void Block::ReportDeadlock() {
  LaunchState& launch = worker_->launch();
  for (Warp& warp : warps_) {
    for (const Split& split : warp.others) {
      if (split.state != Split::State::kAtBarrier) continue;
      const Barrier& barrier = barriers_[split.barrier];
      const Instruction& instruction = launch.code->instructions[split.pc];
      const int64_t expected = barrier.expected != 0 ? barrier.expected : LiveThreads();
      reward::v1::Finding finding = worker_->Locate(
          reward::v1::FINDING_KIND_BARRIER_DEADLOCK, warp, instruction, std::countr_zero(split.mask),
          absl::StrFormat("barrier %d never completes: %d of %d threads arrived, the others wait elsewhere",
                          split.barrier, barrier.arrived, expected));
      finding.set_fatal(true);
      launch.Stop(LaunchEnd{LaunchResult::Status::kFault, finding.message(), finding});
      return;
    }
  }
  launch.Stop(LaunchEnd{LaunchResult::Status::kUnsupported,
                        "unsupported: lanes that wait for each other without a barrier", std::nullopt});
}

}  // namespace cudaperf::emulator
