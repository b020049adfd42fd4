// The part of Decoder that turns an operand into a row, a predicate or a place.
#include <algorithm>
#include <bit>
#include <utility>

#include "emulator/decoder.h"
#include "emulator/warp.h"

namespace cudaperf::emulator {
namespace {

using Kind = PtxOperand::Kind;

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
    return kTruePredicate + ((operand.value != 0) == operand.negated ? 1 : 0);
  if (operand.kind != Kind::kRegister || instance.function->registers[operand.index] != Type::kPred)
    return kNoPredicate;
  return instance.layout->rows[operand.index] * 2 + (operand.negated ? 1 : 0);
}

}  // namespace cudaperf::emulator
