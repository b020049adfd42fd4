// The part of Decoder that lays out the operands of instructions on registers; asks the other parts for the rest.
#include <algorithm>

#include "emulator/decoder.h"

namespace cudaperf::emulator {
namespace {

using Kind = PtxOperand::Kind;

}  // namespace

bool Decoder::DecodeOperands(Instance& instance, const PtxStatement& statement, Instruction& i) {
  switch (i.opcode) {
    case Opcode::kMov:
      return DecodeMove(instance, statement, i);
    case Opcode::kLd:
    case Opcode::kLdu:
    case Opcode::kSt:
      return DecodeMemory(instance, statement, i);
    case Opcode::kAtom:
    case Opcode::kRed:
      return DecodeAtomic(instance, statement, i);
    case Opcode::kSetp:
    case Opcode::kSet:
    case Opcode::kSelp:
    case Opcode::kTestp:
    case Opcode::kIsspacep:
      return DecodeComparison(instance, statement, i);
    case Opcode::kShfl:
    case Opcode::kVote:
    case Opcode::kMatch:
    case Opcode::kRedux:
    case Opcode::kElect:
    case Opcode::kActivemask:
      return DecodeWarpWide(instance, statement, i);
    case Opcode::kBar:
    case Opcode::kBarrier:
      return DecodeBarrier(instance, statement, i);
    case Opcode::kCp:
      return DecodeCopyAsync(instance, statement, i);
    case Opcode::kMma:
    case Opcode::kLdmatrix:
    case Opcode::kStmatrix:
      return DecodeMatrix(instance, statement, i);
    case Opcode::kWmma:
      return DecodeWmma(instance, statement, i);
    case Opcode::kMbarrier:
      return DecodeMbarrier(instance, statement, i);
    case Opcode::kAnd:
    case Opcode::kOr:
    case Opcode::kXor:
    case Opcode::kNot:
      return i.type == Type::kPred ? DecodePredicateLogic(instance, statement, i)
                                   : DecodeGeneral(instance, statement, i);
    case Opcode::kFence:
    case Opcode::kMembar:
    case Opcode::kPrefetch:
    case Opcode::kPrefetchu:
    case Opcode::kDiscard:
    case Opcode::kPmevent:
    case Opcode::kGriddep:
    case Opcode::kNanosleep:
    case Opcode::kTrap:
    case Opcode::kBrkpt:
      return true;
    case Opcode::kSzext:
      return false;
    default:
      return DecodeGeneral(instance, statement, i);
  }
}

// d, a, b, c and one more.
bool Decoder::DecodeGeneral(Instance& instance, const PtxStatement& statement, Instruction& i) {
  const std::vector<PtxOperand>& operands = statement.operands;
  if (operands.size() < 2 || operands.size() > 5) return false;
  const Operand d = Destination(instance, operands[0]);
  if (d.bytes == 0) return false;
  i.dst = d.row;
  i.dst_bytes = d.bytes;
  // Shift amounts, positions and lengths are 32 bits wide whatever the type; wide products add a wide number.
  const int bytes = std::max(1, SizeOf(i.opcode == Opcode::kCvt ? i.type2 : i.type));
  int sizes[4] = {bytes, bytes, bytes, bytes};
  switch (i.opcode) {
    case Opcode::kShl:
    case Opcode::kShr:
      sizes[1] = 4;
      break;
    case Opcode::kBfe:
      sizes[1] = sizes[2] = 4;
      break;
    case Opcode::kBfi:
      sizes[2] = sizes[3] = 4;
      break;
    case Opcode::kMad:
      if (i.half == Mode::kWide) sizes[2] = 2 * bytes;
      break;
    case Opcode::kSlct:
      sizes[2] = 4;
      break;
    case Opcode::kCvta:
      sizes[0] = 8;
      break;
    default:
      break;
  }
  size_t last = operands.size();
  if (i.opcode == Opcode::kLop3) {
    if (operands.size() != 5 || operands[4].kind != Kind::kImmediate) return false;
    i.immediate = operands[4].value & 0xff;
    last = 4;
  }
  for (size_t k = 1; k < last; ++k) {
    if (operands[k].negated) return false;
    const Operand source = Source(instance, operands[k], sizes[k - 1]);
    if (source.bytes == 0) return false;
    if (k == 1) {
      i.a = source.row;
      i.a_bytes = source.bytes;
    }
    if (k == 2) {
      i.b = source.row;
      i.b_bytes = source.bytes;
    }
    if (k == 3) {
      i.c = source.row;
      i.c_bytes = source.bytes;
    }
    if (k == 4) code_.elements.push_back(source.row);
  }
  if (i.opcode == Opcode::kBfi) {
    if (operands.size() != 5) return false;
    i.elements = static_cast<uint32_t>(code_.elements.size() - 1);
  }
  return true;
}

bool Decoder::DecodePredicateLogic(Instance& instance, const PtxStatement& statement, Instruction& i) {
  const bool unary = i.opcode == Opcode::kNot || i.opcode == Opcode::kMov;
  if (statement.operands.size() != (unary ? 2u : 3u)) return false;
  i.p = Predicate(instance, statement.operands[0], true);
  i.source_predicate = Predicate(instance, statement.operands[1], false);
  i.q = unary ? kTruePredicate : Predicate(instance, statement.operands[2], false);
  return i.p != kNoPredicate && i.source_predicate != kNoPredicate && i.q != kNoPredicate;
}

bool Decoder::DecodeMove(Instance& instance, const PtxStatement& statement, Instruction& i) {
  const std::vector<PtxOperand>& operands = statement.operands;
  if (operands.size() != 2) return false;
  if (i.type == Type::kPred) return DecodePredicateLogic(instance, statement, i);
  const int bytes = SizeOf(i.type);
  if (operands[0].kind == Kind::kVector || operands[1].kind == Kind::kVector) {
    const bool packs = operands[1].kind == Kind::kVector;
    const std::vector<PtxOperand>& parts = operands[packs ? 1 : 0].parts;
    const Operand whole = packs ? Destination(instance, operands[0]) : Source(instance, operands[1], bytes);
    if ((parts.size() != 2 && parts.size() != 4) || whole.bytes != bytes || whole.bytes / parts.size() < 2)
      return false;
    i.mode = packs ? Mode::kLo : Mode::kHi;
    (packs ? i.dst : i.a) = whole.row;
    (packs ? i.dst_bytes : i.a_bytes) = whole.bytes;
    i.elements = static_cast<uint32_t>(code_.elements.size());
    i.element_count = static_cast<uint8_t>(parts.size());
    for (const PtxOperand& part : parts) {
      const Operand row =
          packs ? Source(instance, part, bytes / static_cast<int>(parts.size())) : Destination(instance, part);
      if (row.bytes == 0) return false;
      code_.elements.push_back(row.row);
    }
    return true;
  }
  const Operand d = Destination(instance, operands[0]);
  if (d.bytes == 0) return false;
  i.dst = d.row;
  i.dst_bytes = d.bytes;
  if (operands[1].kind == Kind::kName) {
    const std::string& name = operands[1].name;
    const bool is_clock = name == "%clock" || name == "%clock64" || name == "%clock_hi";
    if (is_clock || name.starts_with("%globaltimer")) {
      i.mode = Mode::kSync;
      i.immediate = is_clock ? 0 : 1;
      i.half = name.ends_with("_hi") ? Mode::kHi : Mode::kNone;
      return true;
    }
    if (name == "%gridid") {
      i.a = ConstantRow(1, bytes);
      return true;
    }
  }
  const Operand source = Source(instance, operands[1], bytes);
  i.a = source.row;
  i.a_bytes = source.bytes;
  if (operands[1].kind == Kind::kName && source.bytes != bytes) {
    // Special registers have 32 bits; older code moves them into others.
    i.opcode = Opcode::kCvt;
    i.type2 = Type::kU32;
    return source.bytes == 4;
  }
  return source.bytes == bytes && d.bytes == bytes;
}

bool Decoder::DecodeComparison(Instance& instance, const PtxStatement& statement, Instruction& i) {
  const std::vector<PtxOperand>& operands = statement.operands;
  const bool selects = i.opcode == Opcode::kSelp;
  const bool one_source = i.opcode == Opcode::kTestp || i.opcode == Opcode::kIsspacep;
  const size_t least = one_source ? 2 : selects ? 4 : 3;
  if (operands.size() < least || operands.size() > 4) return false;
  if (i.opcode == Opcode::kSet || selects) {
    const Operand d = Destination(instance, operands[0]);
    if (d.bytes == 0 || d.bytes > 4 * (selects ? 2 : 1)) return false;
    i.dst = d.row;
    i.dst_bytes = d.bytes;
  } else {
    i.p = Predicate(instance, operands[0], true);
    if (i.p == kNoPredicate || i.p % 2 != 0) return false;
    if (!operands[0].parts.empty()) {
      i.q = Predicate(instance, operands[0].parts[0], true);
      if (i.q == kNoPredicate) return false;
    }
  }
  const int bytes = SizeOf(i.opcode == Opcode::kSet ? i.type2 : i.opcode == Opcode::kIsspacep ? Type::kB64 : i.type);
  const Operand a = Source(instance, operands[1], bytes);
  if (a.bytes == 0 || a.bytes < bytes) return false;
  i.a = a.row;
  i.a_bytes = a.bytes;
  if (one_source) return true;
  const Operand b = Source(instance, operands[2], bytes);
  if (b.bytes == 0 || b.bytes < bytes) return false;
  i.b = b.row;
  i.b_bytes = b.bytes;
  if (operands.size() == 4) i.source_predicate = Predicate(instance, operands[3], false);
  const bool needs_predicate = selects || i.boolean != Mode::kNone;
  return !needs_predicate || i.source_predicate != kNoPredicate;
}

}  // namespace cudaperf::emulator
