#include "emulator/worker.h"

#include <algorithm>

namespace cudaperf::emulator {
namespace {

constexpr size_t kMostFindings = 64;

}  // namespace

Worker::Worker(LaunchState* launch)
    : counts(launch->code->instructions.size()),
      memory(launch->code->memory_count + 1),
      allocation_cache(launch->code->memory_count + 1, nullptr),
      shared_patterns(launch->code->memory_count + 1),
      global_patterns(launch->code->memory_count + 1),
      launch_(launch) {}

bool Worker::StartBlock() {
  if (resident_.size() >= kMostResidentBlocks) return false;
  if (!resident_.empty() &&
      resident_.front()->footprint_bytes() * static_cast<int64_t>(resident_.size() + 1) > kMostResidentBytes)
    return false;
  const int64_t number = launch_->next_block.fetch_add(1);
  if (number >= launch_->block_count) return false;
  if (idle_.empty()) idle_.push_back(std::make_unique<Block>(this));
  resident_.push_back(std::move(idle_.back()));
  idle_.pop_back();
  resident_.back()->Start(number);
  return true;
}

void Worker::Run() {
  while (!launch_->stopped.load(std::memory_order_relaxed)) {
    if (resident_.empty() && !StartBlock()) return;
    bool all_wait = true;
    for (size_t i = 0; i < resident_.size();) {
      switch (resident_[i]->Run()) {
        case Block::Result::kStopped:
          return;
        case Block::Result::kYielded:
          ++i;
          continue;
        case Block::Result::kDone:
          all_wait = false;
          idle_.push_back(std::move(resident_[i]));
          resident_.erase(resident_.begin() + static_cast<ptrdiff_t>(i));
      }
    }
    // All of them wait for something that a block not yet started may have to do.
    if (all_wait) StartBlock();
  }
}

bool Worker::Charge(Warp& warp) {
  const int64_t fresh = warp.executed - warp.charged;
  warp.charged = warp.executed;
  longest_warp = std::max(longest_warp, warp.executed);
  return launch_->budget_left.fetch_sub(fresh, std::memory_order_relaxed) >= fresh;
}

reward::v1::Finding Worker::Locate(reward::v1::FindingKind kind, const Warp& warp, const Instruction& instruction,
                                   int lane, std::string message) const {
  reward::v1::Finding finding;
  finding.set_kind(kind);
  finding.set_kernel(launch_->kernel->name);
  const SourceLine line = launch_->code->lines[instruction.line];
  if (line.line > 0 && line.file >= 0 && static_cast<size_t>(line.file) < launch_->program->files.size()) {
    finding.set_file(launch_->program->files[line.file]);
    finding.set_line(line.line);
  }
  for (const int64_t index : warp.block->index()) finding.add_block(static_cast<int32_t>(index));
  int64_t thread = int64_t{warp.id} * kWarpLanes + lane;
  for (int axis = 0; axis < 3; ++axis) {
    finding.add_thread(static_cast<int32_t>(axis == 2 ? thread : thread % launch_->block[axis]));
    thread /= launch_->block[axis];
  }
  finding.set_message(std::move(message));
  finding.set_count(1);
  return finding;
}

void Worker::Note(reward::v1::FindingKind kind, const Warp& warp, const Instruction& instruction, int lane,
                  std::string message) {
  const auto key = std::pair(static_cast<int>(kind), instruction.line);
  const auto known = findings.find(key);
  if (known != findings.end()) {
    known->second.set_count(known->second.count() + 1);
  } else if (findings.size() < kMostFindings) {
    findings.emplace(key, Locate(kind, warp, instruction, lane, std::move(message)));
  }
}

}  // namespace cudaperf::emulator
