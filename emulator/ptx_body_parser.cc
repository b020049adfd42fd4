// The half of PtxParser that reads function bodies.
#include <charconv>
#include <utility>

#include "emulator/ptx_parser.h"

namespace cudaperf::emulator {
namespace {

using Kind = PtxToken::Kind;

constexpr int kMaxOperandDepth = 3;
constexpr size_t kMaxOperands = 64;
constexpr size_t kMaxInlineDepth = 64;

#define EMULATOR_RETURN_IF_ERROR(expression)              \
  if (absl::Status status = (expression); !status.ok()) { \
    return status;                                        \
  }

Type RegisterType(std::string_view word) {
  if (word == ".pred") return Type::kPred;
  if (word == ".b128") return Type::kB128;
  if (word.ends_with("x2") || word.ends_with("32")) return Type::kB32;
  if (word.ends_with("16") || word.ends_with("8")) return Type::kB16;
  return word.ends_with("64") ? Type::kB64 : Type::kNone;
}

}  // namespace

absl::Status PtxParser::ParseBody(PtxFunction& function) {
  EMULATOR_RETURN_IF_ERROR(Expect("{"));
  line_ = SourceLine{};
  inlined_at_.clear();
  while (!scopes_.empty()) {
    if (token_.kind == Kind::kEnd) return Error("function without end");
    if (Accept("{")) {
      if (scopes_.size() >= kMaxScopeDepth || function.scopes.size() > kMaxStatements) return Error("too many scopes");
      function.scopes.push_back(scopes_.back().id);
      Scope scope;
      scope.id = static_cast<int32_t>(function.scopes.size() - 1);
      scopes_.push_back(std::move(scope));
    } else if (Accept("}")) {
      scopes_.pop_back();
    } else if (token_.kind == Kind::kDotWord) {
      EMULATOR_RETURN_IF_ERROR(ParseBodyDirective(function));
    } else if (!Accept(";")) {
      EMULATOR_RETURN_IF_ERROR(ParseLabelOrInstruction(function));
    }
  }
  return absl::OkStatus();
}

absl::Status PtxParser::ParseBodyDirective(PtxFunction& function) {
  if (Accept(".loc")) return ParseLocation();
  if (Accept(".reg")) return ParseRegisters(function);
  if (Accept(".pragma")) return SkipToSemicolon();
  if (Accept(".file")) return ParseFile();
  using Space = PtxVariable::Space;
  for (const auto& [word, space] : {std::pair{".local", Space::kLocal},
                                    {".shared", Space::kShared},
                                    {".param", Space::kParam},
                                    {".global", Space::kGlobal},
                                    {".const", Space::kConstant}}) {
    if (!Accept(word)) continue;
    if (space == Space::kGlobal || space == Space::kConstant) return ParseModuleVariable(space);
    const size_t first = function.variables.size();
    EMULATOR_RETURN_IF_ERROR(ParseVariables(space, function.variables));
    for (size_t i = first; i < function.variables.size(); ++i) {
      scopes_.back().variables[function.variables[i].name] = static_cast<int32_t>(i);
    }
    return Expect(";");
  }
  return Error("unknown directive");
}

absl::Status PtxParser::ParseRegisters(PtxFunction& function) {
  Type type = Type::kNone;
  while (token_.kind == Kind::kDotWord) {
    type = RegisterType(token_.text);
    Advance();
  }
  if (type == Type::kNone) return Error("unknown register type");
  do {
    if (token_.kind != Kind::kName) return Error("expected a register name");
    const std::string_view name = token_.text;
    Advance();
    int64_t count = 1;
    const auto first = static_cast<int32_t>(function.registers.size());
    if (Accept("<")) {
      absl::StatusOr<int64_t> extent = ParseInteger();
      if (!extent.ok()) return extent.status();
      if (*extent < 0 || *extent > static_cast<int64_t>(kMaxRegisters)) return Error("too many registers");
      count = *extent;
      EMULATOR_RETURN_IF_ERROR(Expect(">"));
      scopes_.back().ranges[name] = RegisterRange{first, count};
    } else {
      scopes_.back().registers[name] = first;
    }
    register_count_ += count;
    if (register_count_ > kMaxRegisters) return Error("too many registers");
    function.registers.resize(function.registers.size() + count, type);
  } while (Accept(","));
  return Expect(";");
}

// Lines inside inlined headers count for the place in the main file that called them.
absl::Status PtxParser::ParseLocation() {
  const auto position = [this]() -> absl::StatusOr<Location> {
    uint64_t values[3] = {0, 0, 0};
    for (uint64_t& value : values) {
      if (token_.kind != Kind::kInteger) return Error("expected a number");
      value = token_.value;
      Advance();
    }
    return Location{values[0], values[1], values[2]};
  };
  absl::StatusOr<Location> own = position();
  if (!own.ok()) return own.status();
  Location shown = *own;
  if (Accept(",")) {
    if (Accept("function_name")) {
      Advance();
      if (Accept("+")) Advance();
      if (Accept(",")) Accept("inlined_at");
    } else {
      Accept("inlined_at");
    }
    absl::StatusOr<Location> outer = position();
    if (!outer.ok()) return outer.status();
    if (inlined_at_.size() < kMaxStatements) inlined_at_[*own] = *outer;
    shown = *outer;
    for (size_t i = 0; i < kMaxInlineDepth && std::get<0>(shown) != 1; ++i) {
      const auto next = inlined_at_.find(shown);
      if (next == inlined_at_.end()) break;
      shown = next->second;
    }
    if (std::get<0>(shown) != 1) shown = *own;
  }
  if (std::get<1>(shown) != 0 && std::get<0>(shown) < (1u << 20) && std::get<1>(shown) < (1u << 30)) {
    line_ = SourceLine{static_cast<int32_t>(std::get<0>(shown)), static_cast<int32_t>(std::get<1>(shown))};
  }
  return absl::OkStatus();
}

absl::Status PtxParser::ParseLabelOrInstruction(PtxFunction& function) {
  PtxStatement statement;
  statement.line = line_;
  statement.ptx_line = token_.line;
  statement.scope = scopes_.back().id;
  if (Accept("@")) {
    statement.guard_negated = Accept("!");
    const std::optional<int32_t> guard = LookupRegister(token_.text);
    if (!guard || function.registers[*guard] != Type::kPred) return Error("unknown guard");
    statement.guard = *guard;
    Advance();
  }
  if (token_.kind != Kind::kName) return Error("expected an instruction");
  const std::string_view name = token_.text;
  Advance();
  if (statement.guard < 0 && Accept(":")) return ParseAfterLabel(function, name);
  statement.opcode = name;
  return ParseInstruction(function, std::move(statement));
}

absl::Status PtxParser::ParseAfterLabel(PtxFunction& function, std::string_view label) {
  if (Accept(".branchtargets")) {
    std::vector<std::string_view>& targets = function.branch_targets[label];
    while (token_.kind == Kind::kName && targets.size() < kMaxStatements) {
      targets.push_back(token_.text);
      Advance();
      if (!Accept(",")) break;
    }
    return Expect(";");
  }
  if (token_.Is(".callprototype") || token_.Is(".calltargets")) return SkipToSemicolon();
  function.labels.emplace(label, PtxLabel{scopes_.back().id, static_cast<int32_t>(function.statements.size())});
  return function.labels.size() > kMaxStatements ? Error("too many labels") : absl::OkStatus();
}

absl::Status PtxParser::ParseInstruction(PtxFunction& function, PtxStatement statement) {
  while (token_.kind == Kind::kDotWord) {
    if (statement.modifiers.size() >= kMaxOperands) return Error("too many modifiers");
    statement.modifiers.push_back(token_.text.substr(1));
    Advance();
  }
  while (!token_.Is(";")) {
    if (statement.operands.size() >= kMaxOperands) return Error("too many operands");
    absl::StatusOr<PtxOperand> operand = ParseOperand(function, 0);
    if (!operand.ok()) return operand.status();
    statement.operands.push_back(*std::move(operand));
    if (!Accept(",")) break;
  }
  EMULATOR_RETURN_IF_ERROR(Expect(";"));
  if (++statement_count_ > kMaxStatements) return Error("too many instructions");
  function.statements.push_back(std::move(statement));
  return absl::OkStatus();
}

absl::StatusOr<PtxOperand> PtxParser::ParseOperand(const PtxFunction& function, int depth) {
  if (depth > kMaxOperandDepth) return Error("operands nested too deeply");
  PtxOperand operand;
  if (token_.Is("{") || token_.Is("(")) {
    const std::string_view close = token_.Is("{") ? "}" : ")";
    Advance();
    operand.kind = PtxOperand::Kind::kVector;
    while (!token_.Is(close)) {
      absl::StatusOr<PtxOperand> part = ParseOperand(function, depth + 1);
      if (!part.ok()) return part.status();
      if (operand.parts.size() >= kMaxOperands) return Error("too many elements");
      operand.parts.push_back(*std::move(part));
      if (!Accept(",")) break;
    }
    EMULATOR_RETURN_IF_ERROR(Expect(close));
    return operand;
  }
  if (token_.Is("[")) return ParseAddress(function, depth);
  if (Accept("!")) {
    absl::StatusOr<PtxOperand> inner = ParseOperand(function, depth + 1);
    if (inner.ok()) inner->negated = !inner->negated;
    return inner;
  }
  const bool negative = Accept("-");
  switch (token_.kind) {
    case Kind::kInteger:
      operand.kind = PtxOperand::Kind::kImmediate;
      operand.value = static_cast<int64_t>(negative ? 0 - token_.value : token_.value);
      break;
    case Kind::kFloat32:
    case Kind::kFloat64: {
      const bool single = token_.kind == Kind::kFloat32;
      operand.kind = single ? PtxOperand::Kind::kFloat32 : PtxOperand::Kind::kFloat64;
      operand.value = static_cast<int64_t>(token_.value ^ (negative ? uint64_t{1} << (single ? 31 : 63) : 0));
      break;
    }
    case Kind::kName:
      return ParseNamedOperand(function, depth);
    default:
      return Error("expected an operand");
  }
  Advance();
  return operand;
}

absl::StatusOr<PtxOperand> PtxParser::ParseNamedOperand(const PtxFunction& function, int depth) {
  const std::string_view name = token_.text;
  Advance();
  PtxOperand operand = Lookup(function, name);
  if (operand.kind == PtxOperand::Kind::kName && token_.kind == Kind::kDotWord) {
    operand.name.append(token_.text);
    Advance();
  }
  if (operand.kind == PtxOperand::Kind::kVariable && (token_.Is("+") || token_.Is("-"))) {
    Accept("+");
    absl::StatusOr<int64_t> offset = ParseInteger();
    if (!offset.ok()) return offset.status();
    operand.value = *offset;
  }
  if (Accept("|")) {
    absl::StatusOr<PtxOperand> second = ParseOperand(function, depth + 1);
    if (!second.ok()) return second.status();
    operand.parts.push_back(*std::move(second));
  }
  return operand;
}

absl::StatusOr<PtxOperand> PtxParser::ParseAddress(const PtxFunction& function, int depth) {
  EMULATOR_RETURN_IF_ERROR(Expect("["));
  PtxOperand operand;
  operand.kind = PtxOperand::Kind::kAddress;
  absl::StatusOr<PtxOperand> base = ParseOperand(function, depth + 1);
  if (!base.ok()) return base.status();
  operand.parts.push_back(*std::move(base));
  if (Accept("+")) {
    absl::StatusOr<int64_t> offset = ParseInteger();
    if (!offset.ok()) return offset.status();
    operand.value = *offset;
  } else if (token_.Is("-")) {
    absl::StatusOr<int64_t> offset = ParseInteger();
    if (!offset.ok()) return offset.status();
    operand.value = *offset;
  }
  while (Accept(",")) {
    absl::StatusOr<PtxOperand> more = ParseOperand(function, depth + 1);
    if (!more.ok()) return more.status();
    if (operand.parts.size() >= kMaxOperands) return Error("too many elements");
    operand.parts.push_back(*std::move(more));
  }
  EMULATOR_RETURN_IF_ERROR(Expect("]"));
  return operand;
}

std::optional<int32_t> PtxParser::LookupRegister(std::string_view name) const {
  size_t digits = name.size();
  while (digits > 0 && name[digits - 1] >= '0' && name[digits - 1] <= '9') --digits;
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
    if (const auto found = scope->registers.find(name); found != scope->registers.end()) return found->second;
    // `%r1` may belong to `%r<2>`; a prefix may itself end in digits (`%f1<4>`), so every split is tried.
    if (scope->ranges.empty()) continue;
    for (size_t split = digits; split < name.size() && split < digits + 8; ++split) {
      const auto range = scope->ranges.find(name.substr(0, split));
      if (range == scope->ranges.end()) continue;
      int64_t index = -1;
      std::from_chars(name.data() + split, name.data() + name.size(), index);
      if (index >= 0 && index < range->second.count) return range->second.first + static_cast<int32_t>(index);
    }
  }
  return std::nullopt;
}

PtxOperand PtxParser::Lookup(const PtxFunction& function, std::string_view name) const {
  PtxOperand operand;
  if (name == "_") return operand;
  if (const std::optional<int32_t> found = LookupRegister(name)) {
    operand.kind = PtxOperand::Kind::kRegister;
    operand.index = *found;
    return operand;
  }
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
    const auto found = scope->variables.find(name);
    if (found == scope->variables.end()) continue;
    operand.kind = PtxOperand::Kind::kVariable;
    operand.index = found->second;
    return operand;
  }
  if (const auto found = source_.variable_index.find(name); found != source_.variable_index.end()) {
    operand.kind = PtxOperand::Kind::kVariable;
    operand.is_module_variable = true;
    operand.index = found->second;
    return operand;
  }
  operand.kind = PtxOperand::Kind::kName;
  operand.name = std::string(name);
  return operand;
}

}  // namespace cudaperf::emulator
