// The half of Decoder that turns operands into rows and addresses.
#include <algorithm>
#include <bit>
#include <utility>

#include "emulator/decoder.h"
#include "emulator/warp.h"

namespace cudaperf::emulator {
namespace {

using Kind = PtxOperand::Kind;

constexpr uint32_t kScratchRow = kSystemRowsEnd;
constexpr uint32_t kTruePredicate = 0;
constexpr uint32_t kScratchPredicate = 1 * 2;

uint8_t BytesOf(Type type) { return type == Type::kB64 || type == Type::kB128 ? 8 : type == Type::kB16 ? 2 : 4; }

}  // namespace

uint32_t Decoder::ConstantRow(uint64_t value, int bytes) {
  bytes = bytes <= 2 ? 2 : bytes <= 4 ? 4 : 8;
  if (bytes < 8) value &= (uint64_t{1} << (8 * bytes)) - 1;
  const auto [known, inserted] =
      constant_rows_.try_emplace({value, bytes}, static_cast<uint32_t>(code_.constants.size() * 8));
  if (inserted) {
    const uint64_t pattern = bytes == 2   ? value * 0x0001000100010001u
                             : bytes == 4 ? value * 0x0000000100000001u
                                          : value;
    code_.constants.insert(code_.constants.end(), static_cast<size_t>(4 * bytes), pattern);
  }
  return known->second | kConstantRow;
}

uint32_t Decoder::AddressRow(uint32_t variable, int64_t addend) {
  const auto [known, inserted] =
      address_rows_.try_emplace({variable, addend}, static_cast<uint32_t>(code_.constants.size() * 8));
  if (inserted) {
    code_.relocations.push_back(Relocation{known->second, variable, addend});
    code_.constants.insert(code_.constants.end(), kWarpLanes, 0);
  }
  return known->second | kConstantRow;
}

Decoder::Operand Decoder::SpecialRegister(const std::string& name) {
  static constexpr std::pair<std::string_view, uint32_t> kRows[] = {{"%tid.x", kTidX},
                                                                    {"%tid.y", kTidY},
                                                                    {"%tid.z", kTidZ},
                                                                    {"%ntid.x", kNtidX},
                                                                    {"%ntid.y", kNtidY},
                                                                    {"%ntid.z", kNtidZ},
                                                                    {"%ctaid.x", kCtaidX},
                                                                    {"%ctaid.y", kCtaidY},
                                                                    {"%ctaid.z", kCtaidZ},
                                                                    {"%nctaid.x", kNctaidX},
                                                                    {"%nctaid.y", kNctaidY},
                                                                    {"%nctaid.z", kNctaidZ},
                                                                    {"%laneid", kLaneId},
                                                                    {"%warpid", kWarpId},
                                                                    {"%nwarpid", kNwarpId},
                                                                    {"%lanemask_eq", kLaneMaskEq},
                                                                    {"%lanemask_lt", kLaneMaskLt},
                                                                    {"%lanemask_le", kLaneMaskLe},
                                                                    {"%lanemask_gt", kLaneMaskGt},
                                                                    {"%lanemask_ge", kLaneMaskGe},
                                                                    {"%dynamic_smem_size", kDynamicSharedSize},
                                                                    {"%total_smem_size", kTotalSharedSize},
                                                                    {"%cluster_ctaid.x", 0xfffffff0},
                                                                    {"%cluster_ctaid.y", 0xfffffff0},
                                                                    {"%cluster_ctaid.z", 0xfffffff0},
                                                                    {"%cluster_ctarank", 0xfffffff0},
                                                                    {"%cluster_nctarank", 0xfffffff1},
                                                                    {"%cluster_nctaid.x", 0xfffffff1},
                                                                    {"%cluster_nctaid.y", 0xfffffff1},
                                                                    {"%cluster_nctaid.z", 0xfffffff1},
                                                                    {"%envreg1", kEnvironment1},
                                                                    {"%envreg2", kEnvironment2},
                                                                    {"%smid", 0xfffffff0},
                                                                    {"%nsmid", 0xfffffff2},
                                                                    {"WARP_SZ", 0xfffffff3}};
  for (const auto& [known, row] : kRows) {
    if (name != known) continue;
    if (row < 0xfffffff0) return Operand{row, 4};
    static constexpr uint64_t kValues[] = {0, 1, 132, kWarpLanes};
    return Operand{ConstantRow(kValues[row - 0xfffffff0], 4), 4};
  }
  return Operand{};
}

bool Decoder::PlaceOf(const Instance& instance, const PtxOperand& operand, Space* space, int64_t* offset) const {
  if (operand.kind != Kind::kVariable) return false;
  const int32_t owner = operand.is_module_variable ? -1 : call_stack_.back();
  const PtxVariable& variable =
      operand.is_module_variable ? source_.variables[operand.index] : instance.function->variables[operand.index];
  if (variable.space == PtxVariable::Space::kShared) {
    const auto placed = shared_offsets_.find({owner, operand.index});
    if (placed == shared_offsets_.end()) return false;
    *space = Space::kShared;
    *offset = placed->second + operand.value;
    return true;
  }
  if (operand.is_module_variable) return false;
  *space = Space::kLocal;
  const auto bound = instance.bindings.find(operand.index);
  if (bound != instance.bindings.end()) {
    *offset = bound->second + operand.value;
    return true;
  }
  if (instance.function->is_entry && variable.space == PtxVariable::Space::kParam) {
    const std::vector<int32_t>& parameters = instance.function->parameters;
    const auto found = std::find(parameters.begin(), parameters.end(), operand.index);
    if (found != parameters.end()) {
      *space = Space::kParam;
      *offset = parameter_offsets_[static_cast<size_t>(found - parameters.begin())] + operand.value;
      return true;
    }
  }
  if (instance.layout->offsets[operand.index] < 0) return false;
  *offset = instance.layout->offsets[operand.index] + operand.value;
  return true;
}

Decoder::Operand Decoder::Source(Instance& instance, const PtxOperand& operand, int bytes) {
  switch (operand.kind) {
    case Kind::kRegister:
      if (instance.function->registers[operand.index] == Type::kPred) return Operand{};
      return Operand{instance.layout->rows[operand.index], BytesOf(instance.function->registers[operand.index])};
    case Kind::kImmediate:
      return Operand{ConstantRow(static_cast<uint64_t>(operand.value), bytes),
                     static_cast<uint8_t>(std::max(bytes, 2))};
    case Kind::kFloat32:
      return Operand{ConstantRow(static_cast<uint64_t>(operand.value), 4), 4};
    case Kind::kFloat64: {
      uint64_t bits = static_cast<uint64_t>(operand.value);
      if (bytes == 4) bits = std::bit_cast<uint32_t>(static_cast<float>(std::bit_cast<double>(bits)));
      return Operand{ConstantRow(bits, bytes), static_cast<uint8_t>(bytes)};
    }
    case Kind::kVariable: {
      Space space;
      int64_t offset = 0;
      if (PlaceOf(instance, operand, &space, &offset))
        return Operand{ConstantRow(static_cast<uint64_t>(offset), bytes), static_cast<uint8_t>(bytes)};
      if (!operand.is_module_variable) {
        const auto row = instance.layout->address_rows.find(operand.index);
        return row == instance.layout->address_rows.end() || operand.value != 0 ? Operand{} : Operand{row->second, 8};
      }
      const PtxVariable::Space where = source_.variables[operand.index].space;
      if (where != PtxVariable::Space::kGlobal && where != PtxVariable::Space::kConstant) return Operand{};
      return Operand{AddressRow(static_cast<uint32_t>(operand.index), operand.value), 8};
    }
    case Kind::kName: {
      const auto function = source_.function_index.find(operand.name);
      if (function == source_.function_index.end()) return SpecialRegister(operand.name);
      return bytes == 8 ? Operand{ConstantRow(FunctionAddress(function->second), 8), 8} : Operand{};
    }
    case Kind::kSink:
      return Operand{kScratchRow, static_cast<uint8_t>(bytes)};
    default:
      return Operand{};
  }
}

Decoder::Operand Decoder::Destination(Instance& instance, const PtxOperand& operand) {
  if (operand.kind == Kind::kSink) return Operand{kScratchRow, 4};
  if (operand.kind != Kind::kRegister || instance.function->registers[operand.index] == Type::kPred) return Operand{};
  return Operand{instance.layout->rows[operand.index], BytesOf(instance.function->registers[operand.index])};
}

uint32_t Decoder::Predicate(Instance& instance, const PtxOperand& operand, bool is_written) {
  if (operand.kind == Kind::kSink && is_written) return kScratchPredicate;
  if (operand.kind == Kind::kImmediate && !is_written)
    return kTruePredicate * 2 + ((operand.value != 0) == operand.negated ? 1 : 0);
  if (operand.kind != Kind::kRegister || instance.function->registers[operand.index] != Type::kPred)
    return kNoPredicate;
  return instance.layout->rows[operand.index] * 2 + (operand.negated ? 1 : 0);
}

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
  i.q = unary ? kTruePredicate * 2 : Predicate(instance, statement.operands[2], false);
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
