#include "emulator/decoder.h"

#include <algorithm>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "emulator/control_flow.h"
#include "emulator/modifiers.h"

namespace cudaperf::emulator {
namespace {

using Kind = PtxOperand::Kind;

#define EMULATOR_RETURN_IF_ERROR(expression)              \
  if (absl::Status status = (expression); !status.ok()) { \
    return status;                                        \
  }

int64_t AlignUp(int64_t value, int64_t align) { return (value + align - 1) / align * align; }

constexpr uint32_t kScratchBytes = 256;

std::string NameOf(const PtxStatement& statement) {
  std::string name(statement.opcode);
  for (const std::string_view modifier : statement.modifiers) name.append(".").append(modifier);
  // A move from a special register lacks the register, not the move.
  for (const PtxOperand& operand : statement.operands) {
    if (operand.kind == Kind::kName && operand.name.starts_with("%")) name.append(" ").append(operand.name);
  }
  return name.substr(0, 200);
}

void CountUses(const PtxOperand& operand, std::vector<uint32_t>& uses) {
  if (operand.kind == Kind::kRegister) ++uses[operand.index];
  for (const PtxOperand& part : operand.parts) CountUses(part, uses);
}

}  // namespace

Decoder::Decoder(const PtxSource& source, const std::vector<int32_t>& targets, const OperationSet& operations)
    : source_(source), operations_(operations), targets_(targets) {
  code_.register_bytes = kScratchRow + kScratchBytes;
  code_.predicate_count = 2;
  code_.lines.push_back(SourceLine{});
}

std::vector<int64_t> Decoder::ParameterOffsets(const PtxFunction& function, int64_t* size_bytes) {
  std::vector<int64_t> offsets;
  *size_bytes = 0;
  for (const int32_t index : function.parameters) {
    const PtxVariable& parameter = function.variables[index];
    *size_bytes = AlignUp(*size_bytes, parameter.align_bytes);
    offsets.push_back(*size_bytes);
    *size_bytes += parameter.size_bytes;
  }
  return offsets;
}

absl::StatusOr<Code> Decoder::Decode(const PtxSource& source, int32_t entry, const std::vector<int32_t>& targets,
                                     const OperationSet& operations) {
  Decoder decoder(source, targets, operations);
  decoder.entry_ = entry;
  int64_t parameter_bytes = 0;
  decoder.parameter_offsets_ = ParameterOffsets(source.functions[entry], &parameter_bytes);
  decoder.FindRecursion();
  EMULATOR_RETURN_IF_ERROR(decoder.PlaceShared(entry));
  Instance instance;
  EMULATOR_RETURN_IF_ERROR(decoder.DecodeFunction(entry, instance, true));
  // Falling off the end ends the thread.
  Instruction exit;
  exit.control = Control::kExit;
  exit.opcode = Opcode::kExit;
  decoder.code_.instructions.push_back(exit);
  EMULATOR_RETURN_IF_ERROR(decoder.EmitCalledBodies());
  // A constant row may be read as 64-bit lanes too.
  decoder.code_.constants.resize(decoder.code_.constants.size() + 32, 0);
  FindReconvergence(decoder.code_);
  return std::move(decoder.code_);
}

absl::StatusOr<Decoder::Layout*> Decoder::LayoutOf(int32_t function) {
  auto [known, inserted] = layouts_.try_emplace(function);
  Layout& layout = known->second;
  if (!inserted) return &layout;
  const PtxFunction& body = source_.functions[function];
  const bool is_recursive = recursive_.contains(function);
  FrameLayout frame;
  frame.first_predicate = code_.predicate_count;
  frame.first_local_byte = code_.local_bytes;
  layout.uses.resize(body.registers.size(), 0);
  for (const PtxStatement& statement : body.statements) {
    for (const PtxOperand& operand : statement.operands) CountUses(operand, layout.uses);
    if (statement.guard >= 0) ++layout.uses[statement.guard];
  }
  for (size_t i = 0; i < body.registers.size(); ++i) {
    const Type type = body.registers[i];
    if (type == Type::kPred) {
      layout.rows.push_back(code_.predicate_count++);
      continue;
    }
    // A register nobody names needs no row.
    const bool used = layout.uses[i] != 0;
    layout.rows.push_back(used ? code_.register_bytes : kScratchRow);
    const auto bytes = static_cast<uint32_t>(type == Type::kB64 || type == Type::kB128 ? 256 : 128);
    if (used && is_recursive)
      frame.rows.push_back(FrameLayout::Row{code_.register_bytes, type == Type::kB16 ? 2u : bytes / 32});
    if (used) code_.register_bytes += bytes;
    if (code_.register_bytes > kMaxRegisterBytes) return absl::ResourceExhaustedError("too many registers");
  }
  int64_t local = code_.local_bytes;
  for (const PtxVariable& variable : body.variables) {
    int64_t offset = -1;
    if (is_recursive && variable.space == PtxVariable::Space::kLocal) {
      // Every frame has its own: a row holds where.
      if (code_.register_bytes + 256 > kMaxRegisterBytes) return absl::ResourceExhaustedError("too many registers");
      frame.rows.push_back(FrameLayout::Row{code_.register_bytes, 8});
      frame.variables.push_back(FrameLayout::Variable{
          code_.register_bytes, static_cast<uint32_t>(std::min<int64_t>(variable.size_bytes, kMaxLocalBytes)),
          static_cast<uint32_t>(std::clamp<int64_t>(variable.align_bytes, 8, 128))});
      layout.address_rows[static_cast<int32_t>(layout.offsets.size())] = code_.register_bytes;
      code_.register_bytes += 256;
    } else if (variable.space == PtxVariable::Space::kLocal || variable.space == PtxVariable::Space::kParam) {
      offset = AlignUp(local, std::max<int64_t>(variable.align_bytes, 8));
      local = offset + variable.size_bytes;
    }
    layout.offsets.push_back(offset);
    if (local > kMaxLocalBytes) return absl::ResourceExhaustedError("too much local memory");
  }
  code_.local_bytes = static_cast<uint32_t>(local);
  if (is_recursive) {
    frame.predicate_count = code_.predicate_count - frame.first_predicate;
    frame.local_bytes = code_.local_bytes - frame.first_local_byte;
    layout.frame = static_cast<uint32_t>(code_.frames.size());
    code_.frames.push_back(std::move(frame));
  }
  return &layout;
}

// Shared variables of the kernel and of everything it may call; the dynamic part starts behind them.
absl::Status Decoder::PlaceShared(int32_t entry) {
  std::set<int32_t> reached{entry};
  std::vector<int32_t> queue{entry};
  std::set<std::pair<int32_t, int32_t>> named;
  while (!queue.empty()) {
    const int32_t at = queue.back();
    queue.pop_back();
    const PtxFunction& function = source_.functions[at];
    for (const int32_t callee : CalleesOf(at)) {
      if (reached.insert(callee).second) queue.push_back(callee);
    }
    for (const PtxStatement& statement : function.statements) {
      std::vector<const PtxOperand*> operands;
      for (const PtxOperand& operand : statement.operands) operands.push_back(&operand);
      while (!operands.empty()) {
        const PtxOperand& operand = *operands.back();
        operands.pop_back();
        for (const PtxOperand& part : operand.parts) operands.push_back(&part);
        if (operand.kind == Kind::kVariable) named.emplace(operand.is_module_variable ? -1 : at, operand.index);
        if (operand.kind != Kind::kName) continue;
        const auto callee = source_.function_index.find(operand.name);
        if (callee != source_.function_index.end() && reached.insert(callee->second).second)
          queue.push_back(callee->second);
      }
    }
  }
  int64_t size = 0, dynamic_align = 16;
  for (const auto& key : named) {
    const PtxVariable& variable =
        key.first < 0 ? source_.variables[key.second] : source_.functions[key.first].variables[key.second];
    if (variable.space != PtxVariable::Space::kShared) continue;
    if (variable.is_unsized) {
      dynamic_align = std::max(dynamic_align, variable.align_bytes);
      continue;
    }
    size = AlignUp(size, variable.align_bytes);
    shared_offsets_[key] = size;
    size += variable.size_bytes;
  }
  if (size > (int64_t{1} << 24)) return absl::ResourceExhaustedError("too much shared memory");
  bool has_dynamic = false;
  for (const auto& key : named) {
    const PtxVariable& variable =
        key.first < 0 ? source_.variables[key.second] : source_.functions[key.first].variables[key.second];
    if (variable.space != PtxVariable::Space::kShared || !variable.is_unsized) continue;
    shared_offsets_[key] = AlignUp(size, dynamic_align);
    has_dynamic = true;
  }
  code_.static_shared_bytes = static_cast<uint32_t>(has_dynamic ? AlignUp(size, dynamic_align) : size);
  return absl::OkStatus();
}

absl::Status Decoder::DecodeFunction(int32_t function, Instance& instance, bool is_entry) {
  const PtxFunction& body = source_.functions[function];
  absl::StatusOr<Layout*> layout = LayoutOf(function);
  if (!layout.ok()) return layout.status();
  instance.function = &body;
  instance.layout = *layout;
  call_stack_.push_back(function);
  for (const PtxStatement& statement : body.statements) {
    instance.pc_of_statement.push_back(static_cast<uint32_t>(code_.instructions.size()));
    EMULATOR_RETURN_IF_ERROR(DecodeStatement(instance, statement, is_entry));
  }
  call_stack_.pop_back();
  const auto end = static_cast<uint32_t>(code_.instructions.size());
  instance.pc_of_statement.push_back(end);
  for (const Label& label : instance.pending)
    code_.instructions[label.instruction].target = instance.pc_of_statement[label.statement];
  for (const auto& [element, statement] : instance.pending_elements)
    code_.elements[element] = instance.pc_of_statement[statement];
  for (const uint32_t pc : instance.returns) code_.instructions[pc].target = end;
  return absl::OkStatus();
}

uint32_t Decoder::LineIndex(SourceLine line) {
  const int64_t key = int64_t{line.file} << 32 | static_cast<uint32_t>(line.line);
  const auto [known, inserted] = line_index_.try_emplace(key, code_.lines.size());
  if (inserted) code_.lines.push_back(line);
  return known->second;
}

absl::Status Decoder::Emit(Instruction instruction, const PtxStatement& statement) {
  if (code_.instructions.size() >= kMaxInstructions) return absl::ResourceExhaustedError("kernel too large");
  if (code_.elements.size() > kMaxElements) return absl::ResourceExhaustedError("kernel has too many operands");
  instruction.line = LineIndex(statement.line);
  code_.instructions.push_back(instruction);
  return absl::OkStatus();
}

absl::Status Decoder::EmitUnsupported(Instruction instruction, const PtxStatement& statement, std::string name) {
  const uint32_t guard = instruction.guard;
  Instruction stop;
  stop.guard = guard;
  stop.opcode = instruction.opcode;
  stop.control = Control::kUnsupported;
  stop.immediate = static_cast<int64_t>(code_.unsupported.size());
  code_.unsupported.push_back(name.empty() ? NameOf(statement) : std::move(name));
  return Emit(stop, statement);
}

absl::Status Decoder::DecodeStatement(Instance& instance, const PtxStatement& statement, bool is_entry) {
  Instruction i;
  i.opcode = ParseOpcode(statement.opcode);
  if (statement.guard >= 0) i.guard = instance.layout->rows[statement.guard] * 2 + (statement.guard_negated ? 1 : 0);
  switch (i.opcode) {
    case Opcode::kUnknown:
      return EmitUnsupported(i, statement);
    case Opcode::kBra:
    case Opcode::kBrx:
      return DecodeBranch(instance, statement, i);
    case Opcode::kCall:
      return DecodeCall(instance, statement, i);
    case Opcode::kExit:
      i.control = Control::kExit;
      return Emit(i, statement);
    case Opcode::kRet:
      if (is_entry) {
        i.control = Control::kExit;
      } else {
        i.control = Control::kBranch;
        instance.returns.push_back(static_cast<uint32_t>(code_.instructions.size()));
      }
      return Emit(i, statement);
    default:
      break;
  }
  if (!ParseModifiers(statement, i)) return EmitUnsupported(i, statement);
  i.dst = i.a = i.b = i.c = kScratchRow;
  if (!DecodeOperands(instance, statement, i)) return EmitUnsupported(i, statement);
  i.handler = operations_.select(i);
  return i.handler == nullptr ? EmitUnsupported(i, statement) : Emit(i, statement);
}

int32_t Decoder::FindLabel(const PtxFunction& function, std::string_view name, int32_t scope) const {
  const auto [first, last] = function.labels.equal_range(name);
  for (int32_t at = scope; at >= 0; at = function.scopes[at]) {
    for (auto label = first; label != last; ++label) {
      if (label->second.scope == at) return label->second.statement;
    }
  }
  return -1;
}

absl::Status Decoder::DecodeBranch(Instance& instance, const PtxStatement& statement, Instruction i) {
  const PtxFunction& function = *instance.function;
  if (i.opcode == Opcode::kBra) {
    if (statement.operands.size() != 1 || statement.operands[0].kind != Kind::kName)
      return EmitUnsupported(i, statement);
    const int32_t label = FindLabel(function, statement.operands[0].name, statement.scope);
    if (label < 0) return EmitUnsupported(i, statement, "branch to an unknown label");
    i.control = Control::kBranch;
    instance.pending.push_back(Label{static_cast<uint32_t>(code_.instructions.size()), label});
    return Emit(i, statement);
  }
  if (statement.operands.size() != 2 || statement.operands[1].kind != Kind::kName) return EmitUnsupported(i, statement);
  const auto targets = function.branch_targets.find(statement.operands[1].name);
  if (targets == function.branch_targets.end()) return EmitUnsupported(i, statement);
  i.control = Control::kIndexedBranch;
  i.a = Source(instance, statement.operands[0], 4).row;
  i.elements = static_cast<uint32_t>(code_.elements.size());
  i.immediate = static_cast<int64_t>(targets->second.size());
  for (const std::string_view name : targets->second) {
    const int32_t label = FindLabel(function, name, statement.scope);
    if (label < 0) return EmitUnsupported(i, statement, "branch to an unknown label");
    instance.pending_elements.emplace_back(static_cast<uint32_t>(code_.elements.size()), label);
    code_.elements.push_back(0);
    if (code_.elements.size() > kMaxElements) return absl::ResourceExhaustedError("kernel has too many branch targets");
  }
  return Emit(i, statement);
}

}  // namespace cudaperf::emulator
