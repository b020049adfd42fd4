// The part of Decoder that reads calls. A function is put where it is called, unless it may come back to itself: then
// it is emitted once and called with frames.
#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "emulator/decoder.h"
#include "emulator/warp.h"

namespace cudaperf::emulator {
namespace {

using Kind = PtxOperand::Kind;

#define EMULATOR_RETURN_IF_ERROR(expression)              \
  if (absl::Status status = (expression); !status.ok()) { \
    return status;                                        \
  }

// The parts of `call{.uni} {(results),} target {, (arguments)} {, prototype};`.
struct CallParts {
  const PtxOperand* results = nullptr;
  const PtxOperand* target = nullptr;
  const PtxOperand* arguments = nullptr;
};

CallParts PartsOf(const PtxStatement& statement) {
  CallParts parts;
  const std::vector<PtxOperand>& operands = statement.operands;
  size_t at = 0;
  if (at < operands.size() && operands[at].kind == Kind::kVector) parts.results = &operands[at++];
  if (at < operands.size() && (operands[at].kind == Kind::kName || operands[at].kind == Kind::kRegister))
    parts.target = &operands[at++];
  if (at < operands.size() && operands[at].kind == Kind::kVector) parts.arguments = &operands[at];
  return parts;
}

size_t CountOf(const PtxOperand* operand) { return operand == nullptr ? 0 : operand->parts.size(); }

// Whether a call with these parts can be one of `callee`.
bool Fits(const PtxFunction& caller, const CallParts& parts, const PtxFunction& callee) {
  const auto fit = [&](const PtxOperand* given, const std::vector<int32_t>& formal) {
    if (CountOf(given) != formal.size()) return false;
    for (size_t k = 0; k < formal.size(); ++k) {
      const PtxOperand& part = given->parts[k];
      if (part.kind != Kind::kVariable || part.is_module_variable) return false;
      if (caller.variables[part.index].size_bytes != callee.variables[formal[k]].size_bytes) return false;
    }
    return true;
  };
  return callee.has_body && !callee.is_entry && fit(parts.results, callee.results) &&
         fit(parts.arguments, callee.parameters);
}

}  // namespace

std::vector<int32_t> Decoder::FindTargets(const PtxSource& source) {
  std::vector<bool> is_target(source.functions.size(), false);
  const auto note = [&](std::string_view name) {
    const auto found = source.function_index.find(name);
    if (found != source.function_index.end()) is_target[static_cast<size_t>(found->second)] = true;
  };
  for (const PtxVariable& variable : source.variables) {
    for (const PtxVariable::Reference& reference : variable.references) note(reference.name);
  }
  for (const PtxFunction& function : source.functions) {
    for (const PtxStatement& statement : function.statements) {
      if (statement.opcode == "call") continue;
      for (const PtxOperand& operand : statement.operands) {
        if (operand.kind == Kind::kName) note(operand.name);
      }
    }
  }
  std::vector<int32_t> targets;
  for (size_t f = 0; f < is_target.size(); ++f) {
    if (is_target[f]) targets.push_back(static_cast<int32_t>(f));
  }
  // Without any, every indirect call is named as unsupported.
  if (targets.size() > kMaxModuleTargets) targets.clear();
  return targets;
}

std::vector<int32_t> Decoder::CalleesOf(int32_t function) const {
  std::vector<int32_t> callees;
  const PtxFunction& body = source_.functions[static_cast<size_t>(function)];
  for (const PtxStatement& statement : body.statements) {
    if (statement.opcode != "call") continue;
    const CallParts parts = PartsOf(statement);
    if (parts.target == nullptr) continue;
    if (parts.target->kind == Kind::kName) {
      const auto found = source_.function_index.find(parts.target->name);
      if (found != source_.function_index.end()) callees.push_back(found->second);
      continue;
    }
    for (const int32_t target : targets_) {
      if (Fits(body, parts, source_.functions[static_cast<size_t>(target)])) callees.push_back(target);
    }
  }
  std::sort(callees.begin(), callees.end());
  callees.erase(std::unique(callees.begin(), callees.end()), callees.end());
  return callees;
}

// Tarjan's strongly connected components over what the entry reaches: functions in a cycle are recursive.
void Decoder::FindRecursion() {
  struct Visit {
    int32_t function = 0;
    std::vector<int32_t> callees;
    size_t next = 0;
  };
  const size_t count = source_.functions.size();
  std::vector<int32_t> order(count, -1), low(count, -1), stack;
  std::vector<bool> on_stack(count, false);
  std::vector<Visit> visits;
  int32_t clock = 0;
  const auto enter = [&](int32_t function) {
    order[function] = low[function] = clock++;
    stack.push_back(function);
    on_stack[function] = true;
    visits.push_back(Visit{function, CalleesOf(function), 0});
  };
  enter(entry_);
  while (!visits.empty()) {
    Visit& visit = visits.back();
    const int32_t at = visit.function;
    if (visit.next < visit.callees.size()) {
      const int32_t callee = visit.callees[visit.next++];
      if (callee == at) recursive_.insert(at);
      if (order[callee] < 0) {
        enter(callee);
      } else if (on_stack[callee]) {
        low[at] = std::min(low[at], order[callee]);
      }
      continue;
    }
    visits.pop_back();
    if (!visits.empty()) low[visits.back().function] = std::min(low[visits.back().function], low[at]);
    if (low[at] != order[at]) continue;
    const bool is_cycle = stack.back() != at;
    for (int32_t member = -1; member != at;) {
      member = stack.back();
      stack.pop_back();
      on_stack[member] = false;
      if (is_cycle) recursive_.insert(member);
    }
  }
  recursive_.erase(entry_);
}

absl::Status Decoder::DecodeCall(Instance& instance, const PtxStatement& statement, Instruction i) {
  const CallParts parts = PartsOf(statement);
  if (parts.target == nullptr) return EmitUnsupported(i, statement, "a call of this form");
  std::vector<int32_t> callees;
  if (parts.target->kind == Kind::kRegister) {
    for (const int32_t target : targets_) {
      if (Fits(*instance.function, parts, source_.functions[static_cast<size_t>(target)])) callees.push_back(target);
    }
    if (callees.empty() || callees.size() > kMaxTargets) return EmitUnsupported(i, statement, "indirect call");
  } else {
    const std::string& name = parts.target->name;
    if (name == "vprintf" || name == "__assertfail") {
      i.mode = name == "vprintf" ? Mode::kNone : Mode::kAll;
      i.handler = operations_.select(i);
      return Emit(i, statement);
    }
    const auto callee = source_.function_index.find(name);
    if (callee == source_.function_index.end() || !source_.functions[callee->second].has_body) {
      return EmitUnsupported(i, statement, absl::StrCat("call of ", name.substr(0, 200)));
    }
    callees.push_back(callee->second);
  }
  if (call_stack_.size() >= kMaxCallDepth) return EmitUnsupported(i, statement, "calls nested too deeply");
  // A guarded call: lanes whose guard is off jump over it.
  const auto jump = static_cast<uint32_t>(code_.instructions.size());
  if (i.guard != kNoPredicate) EMULATOR_RETURN_IF_ERROR(EmitJump(i.guard ^ 1, statement));
  if (parts.target->kind == Kind::kRegister) {
    EMULATOR_RETURN_IF_ERROR(EmitIndirectCall(instance, statement, callees));
  } else {
    EMULATOR_RETURN_IF_ERROR(EmitCall(instance, statement, callees[0]));
  }
  if (i.guard != kNoPredicate) code_.instructions[jump].target = static_cast<uint32_t>(code_.instructions.size());
  return absl::OkStatus();
}

absl::Status Decoder::EmitJump(uint32_t guard, const PtxStatement& statement) {
  Instruction jump;
  jump.opcode = Opcode::kBra;
  jump.control = Control::kBranch;
  jump.guard = guard;
  return Emit(jump, statement);
}

// One comparison per function that it may be, then a fault.
absl::Status Decoder::EmitIndirectCall(Instance& instance, const PtxStatement& statement,
                                       const std::vector<int32_t>& callees) {
  const Operand target = Source(instance, *PartsOf(statement).target, 8);
  if (target.bytes != 8) return EmitUnsupported(Instruction{}, statement, "indirect call");
  const uint32_t differs = code_.predicate_count++;
  std::vector<uint32_t> ends;
  for (const int32_t callee : callees) {
    Instruction compare;
    compare.opcode = Opcode::kSetp;
    compare.type = Type::kU64;
    compare.compare = Compare::kNe;
    compare.dst = compare.c = kSystemRowsEnd;
    compare.a = target.row;
    compare.b = ConstantRow(FunctionAddress(callee), 8);
    compare.a_bytes = compare.b_bytes = 8;
    compare.p = 2 * differs;
    compare.handler = operations_.select(compare);
    EMULATOR_RETURN_IF_ERROR(Emit(compare, statement));
    const auto skip = static_cast<uint32_t>(code_.instructions.size());
    EMULATOR_RETURN_IF_ERROR(EmitJump(2 * differs, statement));
    EMULATOR_RETURN_IF_ERROR(EmitCall(instance, statement, callee));
    ends.push_back(static_cast<uint32_t>(code_.instructions.size()));
    EMULATOR_RETURN_IF_ERROR(EmitJump(kNoPredicate, statement));
    code_.instructions[skip].target = static_cast<uint32_t>(code_.instructions.size());
  }
  Instruction stray;
  stray.opcode = Opcode::kCall;
  stray.mode = Mode::kIdx;
  stray.a = target.row;
  stray.handler = operations_.select(stray);
  EMULATOR_RETURN_IF_ERROR(Emit(stray, statement));
  for (const uint32_t end : ends) code_.instructions[end].target = static_cast<uint32_t>(code_.instructions.size());
  return absl::OkStatus();
}

absl::Status Decoder::EmitCall(Instance& instance, const PtxStatement& statement, int32_t callee) {
  const PtxFunction& function = source_.functions[static_cast<size_t>(callee)];
  const CallParts parts = PartsOf(statement);
  // Caller's and callee's variables, and where the caller's lie.
  struct Binding {
    int32_t formal = 0;
    int64_t offset = 0;
  };
  std::vector<Binding> results, arguments;
  const auto bind = [&](const PtxOperand* given, const std::vector<int32_t>& formal, std::vector<Binding>& into) {
    if (CountOf(given) != formal.size()) return false;
    for (size_t k = 0; k < formal.size(); ++k) {
      Space space;
      int64_t offset = 0;
      if (!PlaceOf(instance, given->parts[k], &space, &offset) || space != Space::kLocal) return false;
      if (instance.function->variables[given->parts[k].index].size_bytes < function.variables[formal[k]].size_bytes)
        return false;
      into.push_back(Binding{formal[k], offset});
    }
    return true;
  };
  if (!bind(parts.results, function.results, results) || !bind(parts.arguments, function.parameters, arguments)) {
    return EmitUnsupported(Instruction{}, statement, "call with arguments in registers");
  }
  if (!recursive_.contains(callee)) {
    if (std::find(call_stack_.begin(), call_stack_.end(), callee) != call_stack_.end()) {
      return EmitUnsupported(Instruction{}, statement, "recursive call of a kernel");
    }
    Instance inlined;
    for (const auto* bindings : {&results, &arguments}) {
      for (const Binding& binding : *bindings) inlined.bindings[binding.formal] = binding.offset;
    }
    return DecodeFunction(callee, inlined, false);
  }
  absl::StatusOr<Layout*> layout = LayoutOf(callee);
  if (!layout.ok()) return layout.status();
  CallSite site;
  site.frame = (*layout)->frame;
  const auto copy = [&](const Binding& binding) {
    const auto bytes = static_cast<uint32_t>(function.variables[binding.formal].size_bytes);
    return CallSite::Copy{static_cast<uint32_t>(binding.offset),
                          static_cast<uint32_t>((*layout)->offsets[binding.formal]), bytes};
  };
  for (const Binding& binding : arguments) site.arguments.push_back(copy(binding));
  for (const Binding& binding : results) site.results.push_back(copy(binding));
  Instruction call;
  call.opcode = Opcode::kCall;
  call.control = Control::kCall;
  call.immediate = static_cast<int64_t>(code_.calls.size());
  code_.calls.push_back(std::move(site));
  pending_calls_.emplace_back(static_cast<uint32_t>(code_.instructions.size()), callee);
  return Emit(call, statement);
}

// The bodies of recursive functions that were called, each once, behind the kernel's own code.
absl::Status Decoder::EmitCalledBodies() {
  std::map<int32_t, uint32_t> starts;
  for (size_t k = 0; k < pending_calls_.size(); ++k) {
    const int32_t callee = pending_calls_[k].second;
    const auto [start, fresh] = starts.try_emplace(callee, static_cast<uint32_t>(code_.instructions.size()));
    code_.instructions[pending_calls_[k].first].target = start->second;
    if (!fresh) continue;
    Instance instance;
    EMULATOR_RETURN_IF_ERROR(DecodeFunction(callee, instance, false));
    Instruction back;
    back.opcode = Opcode::kRet;
    back.control = Control::kReturn;
    const PtxFunction& function = source_.functions[static_cast<size_t>(callee)];
    PtxStatement place;
    if (!function.statements.empty()) place.line = function.statements.back().line;
    EMULATOR_RETURN_IF_ERROR(Emit(back, place));
  }
  const bool needs_stack = std::any_of(code_.frames.begin(), code_.frames.end(),
                                       [](const FrameLayout& frame) { return !frame.variables.empty(); });
  code_.stack_begin = (code_.local_bytes + 15) / 16 * 16;
  code_.local_bytes = code_.stack_begin + (needs_stack ? kStackBytes : 0);
  return absl::OkStatus();
}

}  // namespace cudaperf::emulator
