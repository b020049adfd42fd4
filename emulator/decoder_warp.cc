// The part of Decoder that lays out the operands of instructions in which lanes or warps meet.
#include <algorithm>

#include "emulator/decoder.h"

namespace cudaperf::emulator {

// The member mask goes to c, but for shfl, which needs c itself: there it is the row `warp_sync` reads through an
// element.
bool Decoder::DecodeWarpWide(Instance& instance, const PtxStatement& statement, Instruction& i) {
  const std::vector<PtxOperand>& operands = statement.operands;
  const bool synchronises =
      std::find(statement.modifiers.begin(), statement.modifiers.end(), "sync") != statement.modifiers.end();
  if (operands.empty()) return false;
  const PtxOperand& first = operands[0];
  const bool writes_predicate = i.opcode == Opcode::kVote && i.mode != Mode::kBallot;
  if (writes_predicate) {
    i.p = Predicate(instance, first, true);
    if (i.p == kNoPredicate) return false;
  } else {
    const Operand d = Destination(instance, first);
    if (d.bytes != 4) return false;
    i.dst = d.row;
    i.dst_bytes = 4;
    if (!first.parts.empty()) {
      i.p = Predicate(instance, first.parts[0], true);
      if (i.p == kNoPredicate) return false;
    }
  }
  if (i.opcode == Opcode::kActivemask) return operands.size() == 1;
  size_t at = 1;
  if (i.opcode == Opcode::kVote) {
    if (operands.size() < 2) return false;
    i.source_predicate = Predicate(instance, operands[at++], false);
    if (i.source_predicate == kNoPredicate) return false;
  } else if (i.opcode != Opcode::kElect) {
    if (operands.size() < 2) return false;
    const int bytes = i.opcode == Opcode::kMatch ? SizeOf(i.type) : 4;
    const Operand a = Source(instance, operands[at++], bytes);
    if (a.bytes == 0 || a.bytes < bytes) return false;
    i.a = a.row;
    i.a_bytes = a.bytes;
  }
  if (i.opcode == Opcode::kElect && i.p == kNoPredicate) i.p = kScratchPredicate;
  if (i.opcode == Opcode::kShfl) {
    if (operands.size() < 4) return false;
    const Operand b = Source(instance, operands[at++], 4), c = Source(instance, operands[at++], 4);
    if (b.bytes != 4 || c.bytes != 4) return false;
    i.b = b.row;
    i.c = c.row;
  }
  if (!synchronises && i.opcode != Opcode::kElect) return true;
  if (at + 1 != operands.size()) return false;
  const Operand members = Source(instance, operands[at], 4);
  if (members.bytes != 4) return false;
  i.warp_sync = true;
  i.elements = static_cast<uint32_t>(code_.elements.size());
  code_.elements.push_back(members.row);
  return true;
}

// bar.sync a{, b}; bar.red.OP d, a{, b}, {!}c; bar.warp.sync members.
bool Decoder::DecodeBarrier(Instance& instance, const PtxStatement& statement, Instruction& i) {
  const std::vector<PtxOperand>& operands = statement.operands;
  const auto has = [&](std::string_view word) {
    return std::find(statement.modifiers.begin(), statement.modifiers.end(), word) != statement.modifiers.end();
  };
  if (has("cluster")) return false;
  if (has("warp")) {
    if (operands.size() != 1) return false;
    const Operand members = Source(instance, operands[0], 4);
    if (members.bytes != 4) return false;
    i.warp_sync = true;
    i.elements = static_cast<uint32_t>(code_.elements.size());
    code_.elements.push_back(members.row);
    return true;
  }
  i.control = Control::kBarrier;
  const bool reduces = has("red");
  size_t at = 0;
  if (reduces) {
    if (operands.size() < 3 || (i.mode != Mode::kPopc && i.mode != Mode::kAnd && i.mode != Mode::kOr)) return false;
    if (i.mode == Mode::kPopc) {
      const Operand d = Destination(instance, operands[at++]);
      if (d.bytes != 4) return false;
      i.dst = d.row;
    } else {
      i.p = Predicate(instance, operands[at++], true);
      if (i.p == kNoPredicate) return false;
    }
    i.source_predicate = Predicate(instance, operands.back(), false);
    if (i.source_predicate == kNoPredicate) return false;
  }
  const size_t end = operands.size() - (reduces ? 1 : 0);
  if (at >= end || end - at > 2) return false;
  const Operand id = Source(instance, operands[at], 4);
  if (id.bytes != 4) return false;
  i.a = id.row;
  if (end - at == 2) {
    const Operand threads = Source(instance, operands[at + 1], 4);
    if (threads.bytes != 4) return false;
    i.b = threads.row;
    i.b_bytes = 4;
  }
  return i.mode != Mode::kArrive || i.b_bytes != 0;
}

}  // namespace cudaperf::emulator
