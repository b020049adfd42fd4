// The part of Decoder that lays out the operands of instructions on memory.
#include <algorithm>

#include "emulator/decoder.h"

namespace cudaperf::emulator {
namespace {

using Kind = PtxOperand::Kind;

}  // namespace

bool Decoder::DecodeAddress(Instance& instance, const PtxOperand& operand, Instruction& i) {
  if (operand.kind != Kind::kAddress || operand.parts.size() != 1) return false;
  const PtxOperand& base = operand.parts[0];
  i.immediate = operand.value;
  Space space;
  int64_t offset = 0;
  if (PlaceOf(instance, base, &space, &offset)) {
    i.a = ConstantRow(0, 8);
    i.a_bytes = 8;
    i.immediate += offset;
    if (i.space == Space::kParam) i.space = space;
    return space == i.space || (i.space == Space::kGeneric && space == Space::kShared);
  }
  PtxOperand start = base;
  if (base.kind == Kind::kVariable && !base.is_module_variable) {
    i.immediate += base.value;
    start.value = 0;
  }
  const Operand row = Source(instance, start, 8);
  i.a = row.row;
  i.a_bytes = row.bytes;
  // Parameters of inlined functions lie in local memory.
  if (i.space == Space::kParam && !instance.function->is_entry) i.space = Space::kLocal;
  return row.bytes == 4 || row.bytes == 8;
}

bool Decoder::DecodeMemory(Instance& instance, const PtxStatement& statement, Instruction& i) {
  if (statement.operands.size() != 2) return false;
  const bool loads = i.opcode != Opcode::kSt;
  const PtxOperand& address = statement.operands[loads ? 1 : 0];
  const PtxOperand& values = statement.operands[loads ? 0 : 1];
  const bool is_parameter = i.space == Space::kParam;
  if (!DecodeAddress(instance, address, i)) return false;
  // Traffic with parameters is not the program's own.
  i.memory = is_parameter ? 0 : ++code_.memory_count;
  i.elements = static_cast<uint32_t>(code_.elements.size());
  const size_t count = values.kind == Kind::kVector ? values.parts.size() : 1;
  const int bytes = SizeOf(i.type);
  if (bytes == 0 || bytes > 8 || (count != 1 && count != 2 && count != 4 && count != 8) || bytes * count > 32)
    return false;
  i.element_count = static_cast<uint8_t>(count);
  i.dst_bytes = 0;
  for (size_t k = 0; k < count; ++k) {
    const PtxOperand& value = values.kind == Kind::kVector ? values.parts[k] : values;
    if (value.kind == Kind::kSink && loads) {
      code_.elements.push_back(kScratchRow);
      continue;
    }
    const Operand row = loads ? Destination(instance, value) : Source(instance, value, std::max(bytes, 2));
    if (row.bytes < bytes || (i.dst_bytes != 0 && row.bytes != i.dst_bytes)) return false;
    i.dst_bytes = row.bytes;
    code_.elements.push_back(row.row);
  }
  if (i.dst_bytes == 0) i.dst_bytes = static_cast<uint8_t>(std::max(bytes, 2));
  return true;
}

// atom d, [a], b{, c}; red [a], b.
bool Decoder::DecodeAtomic(Instance& instance, const PtxStatement& statement, Instruction& i) {
  const bool returns = i.opcode == Opcode::kAtom;
  const std::vector<PtxOperand>& operands = statement.operands;
  const size_t address = returns ? 1 : 0;
  if (operands.size() < address + 2 || operands.size() > address + 3) return false;
  if (!DecodeAddress(instance, operands[address], i)) return false;
  if (i.space != Space::kGeneric && i.space != Space::kGlobal && i.space != Space::kShared) return false;
  i.memory = ++code_.memory_count;
  const int bytes = SizeOf(i.type);
  const PtxOperand& value = operands[address + 1];
  i.is_red = true;
  if (value.kind == Kind::kVector) {
    const size_t count = value.parts.size();
    if (count != 2 && count != 4 && count != 8) return false;
    if (returns && (operands[0].kind != Kind::kVector || operands[0].parts.size() != count)) return false;
    i.elements = static_cast<uint32_t>(code_.elements.size());
    i.element_count = static_cast<uint8_t>(count);
    for (size_t k = 0; k < count; ++k) {
      const Operand row =
          returns ? Destination(instance, operands[0].parts[k]) : Operand{kScratchRow, static_cast<uint8_t>(bytes)};
      if (row.bytes < bytes) return false;
      code_.elements.push_back(row.row);
      if (returns) i.dst_bytes = row.bytes;
    }
    for (const PtxOperand& part : value.parts) {
      const Operand row = Source(instance, part, bytes);
      if (row.bytes < bytes) return false;
      code_.elements.push_back(row.row);
      i.b_bytes = row.bytes;
    }
    return true;
  }
  const Operand b = Source(instance, value, bytes);
  if (b.bytes < bytes || bytes == 0) return false;
  i.b = b.row;
  i.b_bytes = b.bytes;
  if (operands.size() == address + 3) {
    const Operand c = Source(instance, operands[address + 2], bytes);
    if (c.bytes < bytes || i.mode != Mode::kCas) return false;
    i.c = c.row;
    i.c_bytes = c.bytes;
  } else if (i.mode == Mode::kCas) {
    return false;
  }
  if (returns) {
    const Operand d = Destination(instance, operands[0]);
    if (d.bytes == 0) return false;
    i.dst = d.row;
    i.dst_bytes = d.bytes;
    // An atomic whose result nobody reads is a reduction.
    i.is_red = operands[0].kind == Kind::kSink || instance.layout->uses[operands[0].index] <= 1;
  }
  return true;
}

// mbarrier.init [a], n; .inval [a]; .arrive d, [a]{, n}; .expect_tx [a], n; .test_wait p, [a], state; .pending_count d,
// state.
bool Decoder::DecodeMbarrier(Instance& instance, const PtxStatement& statement, Instruction& i) {
  const std::vector<PtxOperand>& operands = statement.operands;
  const bool waits = i.mode == Mode::kWait || i.mode == Mode::kWaitParity;
  const bool first_is_result = waits || i.mode == Mode::kArrive || i.mode == Mode::kPending;
  size_t at = first_is_result && !operands.empty() && operands[0].kind != Kind::kAddress ? 1 : 0;
  if (operands.empty() || i.mode == Mode::kNone) return false;
  if (waits) {
    i.p = at == 1 ? Predicate(instance, operands[0], true) : kNoPredicate;
    if (i.p == kNoPredicate) return false;
  } else if (at == 1 && operands[0].kind != Kind::kSink) {
    const Operand d = Destination(instance, operands[0]);
    if (d.bytes != (i.mode == Mode::kPending ? 4 : 8)) return false;
    i.dst = d.row;
    i.dst_bytes = d.bytes;
  }
  if (i.mode != Mode::kPending) {
    if (at >= operands.size() || !DecodeAddress(instance, operands[at++], i)) return false;
    if (i.space != Space::kShared && i.space != Space::kGeneric) return false;
    i.memory = ++code_.memory_count;
  }
  const bool takes = i.mode != Mode::kInvalidate && (i.mode != Mode::kArrive || at < operands.size());
  if (takes) {
    if (at >= operands.size()) return false;
    const int bytes = i.mode == Mode::kWait || i.mode == Mode::kPending ? 8 : 4;
    const Operand given = Source(instance, operands[at++], bytes);
    if (given.bytes != bytes) return false;
    i.b = given.row;
    i.b_bytes = given.bytes;
  }
  // Waits may say how long they want to wait.
  return at == operands.size() || (waits && at + 1 == operands.size());
}

// cp.async.ca.shared.global [dst], [src], bytes{, source bytes}, and the waits, which have nothing to wait for.
bool Decoder::DecodeCopyAsync(Instance& instance, const PtxStatement& statement, Instruction& i) {
  const std::vector<std::string_view>& words = statement.modifiers;
  if (words.empty() || words[0] != "async") return false;
  if (words.size() > 1 && (words[1] == "commit_group" || words[1] == "wait_group" || words[1] == "wait_all"))
    return true;
  const std::vector<PtxOperand>& operands = statement.operands;
  if (words.size() > 2 && words[1] == "mbarrier" && words[2] == "arrive") {
    // The copies are done: this thread arrives. Without .noinc it was counted in before, and nothing changes.
    i.space = Space::kGeneric;
    for (const std::string_view word : words) i.space = word.starts_with("shared") ? Space::kShared : i.space;
    if (operands.size() != 1 || std::find(words.begin(), words.end(), "noinc") == words.end())
      return operands.size() == 1;
    i.opcode = Opcode::kMbarrier;
    i.mode = Mode::kArrive;
    return DecodeMbarrier(instance, statement, i);
  }
  if (operands.size() < 3 || operands.size() > 4 || operands[2].kind != Kind::kImmediate) return false;
  if (words.size() < 4 || (words[1] != "ca" && words[1] != "cg") || !words[2].starts_with("shared") ||
      words[3] != "global")
    return false;
  i.mode = Mode::kAll;
  Instruction to, from;
  to.space = Space::kShared;
  from.space = Space::kGlobal;
  if (!DecodeAddress(instance, operands[0], to) || !DecodeAddress(instance, operands[1], from)) return false;
  constexpr int64_t kBias = int64_t{1} << 30;
  if (to.immediate < -kBias || to.immediate >= kBias || from.immediate < -kBias || from.immediate >= kBias)
    return false;
  i.a = to.a;
  i.a_bytes = to.a_bytes;
  i.b = from.a;
  i.b_bytes = from.a_bytes;
  i.elements = static_cast<uint32_t>(code_.elements.size());
  code_.elements.push_back(static_cast<uint32_t>(to.immediate + kBias));
  code_.elements.push_back(static_cast<uint32_t>(from.immediate + kBias));
  i.immediate = operands[2].value;
  if (i.immediate != 4 && i.immediate != 8 && i.immediate != 16) return false;
  if (operands.size() == 4) {
    const Operand size = Source(instance, operands[3], 4);
    if (size.bytes != 4) return false;
    i.c = size.row;
    i.c_bytes = 4;
  }
  i.memory = ++code_.memory_count;
  ++code_.memory_count;
  return true;
}

}  // namespace cudaperf::emulator
