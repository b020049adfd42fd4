// The part of Decoder that reads matrix instructions.
#include <algorithm>
#include <charconv>
#include <optional>

#include "emulator/decoder.h"
#include "emulator/modifiers.h"

namespace cudaperf::emulator {
namespace {

using Kind = PtxOperand::Kind;

bool Has(const PtxStatement& statement, std::string_view word) {
  return std::find(statement.modifiers.begin(), statement.modifiers.end(), word) != statement.modifiers.end();
}

// Registers of a fragment; 0 when the elements do not fill any.
size_t RegistersOf(int elements, Type type) {
  const int in_register = std::max(1, 4 / std::max(1, SizeOf(type)));
  return static_cast<size_t>(elements / (kWarpLanes * in_register));
}

bool IsByte(Type type) { return type == Type::kS8 || type == Type::kU8; }
bool IsHalf(Type type) { return type == Type::kF16 || type == Type::kBf16; }

bool IsKnownMma(const MatrixShape& s, Type inputs) {
  if (inputs == Type::kF64)
    return (s.m == 8 && s.n == 8 && s.k == 4) || (s.m == 16 && s.n == 8 && (s.k == 4 || s.k == 8 || s.k == 16));
  if (s.n != 8) return false;
  if (IsByte(inputs)) return (s.m == 16 && (s.k == 16 || s.k == 32)) || (s.m == 8 && s.k == 16);
  if (s.m != 16) return false;
  return IsHalf(inputs) ? s.k == 8 || s.k == 16 : inputs == Type::kTf32 && (s.k == 4 || s.k == 8);
}

bool IsKnownWmma(const MatrixShape& s, Type inputs) {
  if (inputs == Type::kF64) return s.m == 8 && s.n == 8 && s.k == 4;
  if (inputs == Type::kTf32) return s.m == 16 && s.n == 16 && s.k == 8;
  if (!IsHalf(inputs) && !IsByte(inputs)) return false;
  return s.k == 16 && ((s.m == 16 && s.n == 16) || (s.m == 32 && s.n == 8) || (s.m == 8 && s.n == 32));
}

bool AreKnownSums(Type inputs, Type c, Type d) {
  if (inputs == Type::kF64) return c == Type::kF64 && d == Type::kF64;
  if (IsByte(inputs)) return c == Type::kS32 && d == Type::kS32;
  const auto fits = [&](Type type) { return type == Type::kF32 || (type == Type::kF16 && inputs == Type::kF16); };
  return fits(c) && fits(d);
}

}  // namespace

std::optional<MatrixShape> ParseMatrixShape(std::string_view word) {
  MatrixShape shape;
  for (const auto& [letter, into] : {std::pair{'m', &shape.m}, {'n', &shape.n}, {'k', &shape.k}}) {
    if (word.empty() || word[0] != letter) return std::nullopt;
    const auto [end, error] = std::from_chars(word.data() + 1, word.data() + word.size(), *into);
    if (error != std::errc() || *into < 4 || *into > 256) return std::nullopt;
    word.remove_prefix(static_cast<size_t>(end - word.data()));
  }
  return word.empty() ? std::optional(shape) : std::nullopt;
}

bool Decoder::PushFragment(Instance& instance, const PtxOperand& operand, size_t count, int bytes, bool written) {
  if (operand.kind == Kind::kVector ? operand.parts.size() != count : count != 1) return false;
  for (size_t k = 0; k < count; ++k) {
    const PtxOperand& part = operand.kind == Kind::kVector ? operand.parts[k] : operand;
    const Operand row = written ? Destination(instance, part) : Source(instance, part, bytes);
    if (row.bytes != bytes) return false;
    code_.elements.push_back(row.row);
  }
  return true;
}

// ldmatrix d, [a]; stmatrix [a], b; mma d, a, b, c.
bool Decoder::DecodeMatrix(Instance& instance, const PtxStatement& statement, Instruction& i) {
  const std::vector<PtxOperand>& operands = statement.operands;
  i.elements = static_cast<uint32_t>(code_.elements.size());
  if (i.opcode == Opcode::kMma) return DecodeMultiply(instance, statement, i);
  if (operands.size() != 2 || i.type != Type::kB16 || (i.space != Space::kShared && i.space != Space::kGeneric))
    return false;
  const bool stores = i.opcode == Opcode::kStmatrix;
  const PtxOperand& values = operands[stores ? 1 : 0];
  const size_t count = values.kind == Kind::kVector ? values.parts.size() : 1;
  if ((count != 1 && count != 2 && count != 4) || !PushFragment(instance, values, count, 4, true)) return false;
  i.element_count = static_cast<uint8_t>(count);
  i.memory = ++code_.memory_count;
  return DecodeAddress(instance, operands[stores ? 0 : 1], i);
}

bool Decoder::DecodeMultiply(Instance& instance, const PtxStatement& statement, Instruction& i) {
  const std::vector<PtxOperand>& operands = statement.operands;
  if (operands.size() != 4 || i.immediate == 0) return false;
  const MatrixShape shape = MatrixShape::Unpack(i.immediate);
  const bool is_wmma = i.opcode == Opcode::kWmma;
  if (is_wmma && i.type3 == Type::kNone) {
    // Half inputs are understood: the words are D's and C's types.
    i.type4 = i.type2;
    i.type2 = i.type3 = Type::kF16;
  }
  const bool same = i.type2 == i.type3 || (!is_wmma && IsByte(i.type2) && IsByte(i.type3));
  if (!same || !AreKnownSums(i.type2, i.type4, i.type)) return false;
  if (!(is_wmma ? IsKnownWmma(shape, i.type2) : IsKnownMma(shape, i.type2))) return false;
  if (!is_wmma && i.type != i.type4) return false;
  if (i.rounding != Rounding::kNone && i.rounding != Rounding::kNearest) return false;
  const int bytes = i.type2 == Type::kF64 ? 8 : 4;
  const bool doubled = is_wmma && i.type2 == Type::kF16;
  const size_t a = doubled ? 8 : RegistersOf(shape.m * shape.k, i.type2),
               b = doubled ? 8 : RegistersOf(shape.k * shape.n, i.type2);
  i.elements = static_cast<uint32_t>(code_.elements.size());
  return PushFragment(instance, operands[0], RegistersOf(shape.m * shape.n, i.type), bytes, true) &&
         PushFragment(instance, operands[1], a, bytes, false) && PushFragment(instance, operands[2], b, bytes, false) &&
         PushFragment(instance, operands[3], RegistersOf(shape.m * shape.n, i.type4), bytes, false);
}

// wmma.load.{a,b,c} d, [p]{, leading}; wmma.store.d [p], d{, leading}; wmma.mma.
bool Decoder::DecodeWmma(Instance& instance, const PtxStatement& statement, Instruction& i) {
  const std::vector<PtxOperand>& operands = statement.operands;
  if (i.mode == Mode::kMultiply) return DecodeMultiply(instance, statement, i);
  const bool stores = i.mode == Mode::kStore;
  if ((!stores && i.mode != Mode::kLoad) || i.immediate == 0 || operands.size() < 2 || operands.size() > 3)
    return false;
  const MatrixShape shape = MatrixShape::Unpack(i.immediate);
  const bool is_a = i.half == Mode::kMatrixA, is_b = i.half == Mode::kMatrixB, is_c = i.half == Mode::kMatrixC;
  i.transposed = Has(statement, "col");
  if (!i.transposed && !Has(statement, "row")) return false;
  if (is_c) {
    const Type inputs = i.type == Type::kF64   ? Type::kF64
                        : i.type == Type::kS32 ? Type::kS8
                        : shape.k == 8         ? Type::kTf32
                                               : Type::kF16;
    if (!AreKnownSums(inputs, i.type, i.type) || !IsKnownWmma(shape, inputs)) return false;
  } else if ((!is_a && !is_b) || !IsKnownWmma(shape, i.type)) {
    return false;
  }
  const int elements = is_a ? shape.m * shape.k : is_b ? shape.k * shape.n : shape.m * shape.n;
  const size_t count = !is_c && i.type == Type::kF16 ? 8 : RegistersOf(elements, i.type);
  i.elements = static_cast<uint32_t>(code_.elements.size());
  i.element_count = static_cast<uint8_t>(count);
  if (!PushFragment(instance, operands[stores ? 1 : 0], count, i.type == Type::kF64 ? 8 : 4, !stores)) return false;
  if (operands.size() == 3) {
    const Operand leading = Source(instance, operands[2], 4);
    if (leading.bytes != 4) return false;
    i.b = leading.row;
  } else {
    const int columns = is_a ? shape.k : shape.n, rows = is_b ? shape.k : shape.m;
    i.b = ConstantRow(static_cast<uint64_t>(i.transposed ? rows : columns), 4);
  }
  // The shape lies where the address has its offset: that one is added before.
  Instruction address;
  address.space = i.space;
  if (!DecodeAddress(instance, operands[stores ? 0 : 1], address)) return false;
  if (address.space != Space::kGeneric && address.space != Space::kGlobal && address.space != Space::kShared)
    return false;
  i.space = address.space;
  i.a = address.a;
  i.a_bytes = address.a_bytes;
  i.c = ConstantRow(static_cast<uint64_t>(address.immediate), 8);
  i.memory = ++code_.memory_count;
  return true;
}

}  // namespace cudaperf::emulator
