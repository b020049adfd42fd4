#include "analyzers/instruction_mix_analyzer.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <utility>

#include "analyzers/ptx_reader.h"

namespace cudaperf::analyzers {
namespace {

using reward::v1::InstructionMix;

constexpr size_t kMostKernels = 256;

// An instruction's opcode, split at its dots, and the text of its operands.
struct Instruction {
  std::string_view root;
  std::vector<std::string_view> modifiers;
  std::string_view operands;

  bool Has(std::string_view modifier) const {
    return std::find(modifiers.begin(), modifiers.end(), modifier) != modifiers.end();
  }
};

bool IsOneOf(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

Instruction Split(std::string_view text) {
  // `@%p1` or `@!%p1`.
  if (!text.empty() && text.front() == '@') text = text.substr(std::min(text.find(' '), text.size()));
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  const size_t end = std::min(text.find_first_of(" ;[({%"), text.size());
  Instruction instruction = {.root = {}, .modifiers = {}, .operands = text.substr(end)};
  std::string_view opcode = text.substr(0, end);
  instruction.root = opcode.substr(0, opcode.find('.'));
  for (size_t dot = opcode.find('.'); dot != std::string_view::npos;) {
    const size_t next = opcode.find('.', dot + 1);
    instruction.modifiers.push_back(opcode.substr(dot + 1, next == std::string_view::npos ? next : next - dot - 1));
    dot = next;
  }
  return instruction;
}

// Bytes of a type such as `f32`, `b128`, `bf16x2`; 0 when it is none.
int TypeBytes(std::string_view type) {
  if (type == "pred") return 0;
  const size_t digits = type.find_first_of("0123456789");
  if (digits == std::string_view::npos || digits == 0 || digits > 2) return 0;
  if (!IsOneOf(type.substr(0, digits), {"b", "u", "s", "f", "bf"})) return 0;
  int bits = 0;
  const auto parsed = std::from_chars(type.data() + digits, type.data() + type.size(), bits);
  if (parsed.ec != std::errc() || bits < 8 || bits > 128) return 0;
  const std::string_view rest(parsed.ptr, type.data() + type.size() - parsed.ptr);
  return bits / 8 * (rest == "x2" ? 2 : 1);
}

// The last type is the one computed in: `setp.lt.f32`, `set.lt.u32.f32`.
std::string_view ComputeType(const Instruction& instruction) {
  for (auto modifier = instruction.modifiers.rbegin(); modifier != instruction.modifiers.rend(); ++modifier) {
    if (TypeBytes(*modifier) > 0) return *modifier;
  }
  return {};
}

int AccessBytes(const Instruction& instruction) {
  const int lanes = instruction.Has("v8") ? 8 : instruction.Has("v4") ? 4 : instruction.Has("v2") ? 2 : 1;
  return TypeBytes(ComputeType(instruction)) * lanes;
}

void CountGlobal(InstructionMix& mix, int bytes) {
  if (bytes <= 0) return;
  mix.set_widest_global_access_bytes(std::max(mix.widest_global_access_bytes(), bytes));
  ++(*mix.mutable_global_accesses_by_width())[bytes];
}

enum class Access { kLoad, kStore };

void CountAccess(const Instruction& instruction, Access access, InstructionMix& mix) {
  const bool load = access == Access::kLoad;
  if (instruction.Has("param") || instruction.Has("param::entry") || instruction.Has("param::func") ||
      instruction.Has("const")) {
    return;
  }
  if (instruction.Has("shared") || instruction.Has("shared::cta") || instruction.Has("shared::cluster")) {
    load ? mix.set_shared_load_count(mix.shared_load_count() + 1)
         : mix.set_shared_store_count(mix.shared_store_count() + 1);
    return;
  }
  if (instruction.Has("local")) {
    mix.set_local_access_count(mix.local_access_count() + 1);
    return;
  }
  // Generic addresses are nearly always global ones that the compiler could not prove to be.
  load ? mix.set_global_load_count(mix.global_load_count() + 1)
       : mix.set_global_store_count(mix.global_store_count() + 1);
  CountGlobal(mix, AccessBytes(instruction));
}

// `cp.async.ca.shared.global [s], [g], 16;`
void CountAsyncCopy(const Instruction& instruction, InstructionMix& mix) {
  if (!instruction.Has("async") || !instruction.Has("global") || instruction.Has("prefetch")) return;
  mix.set_global_load_count(mix.global_load_count() + 1);
  mix.set_shared_store_count(mix.shared_store_count() + 1);
  const size_t second = instruction.operands.find(',');
  const size_t third = second == std::string_view::npos ? second : instruction.operands.find(',', second + 1);
  if (third == std::string_view::npos) return;
  const size_t digit = instruction.operands.find_first_not_of(' ', third + 1);
  if (digit == std::string_view::npos) return;
  int bytes = 0;
  std::from_chars(instruction.operands.data() + digit, instruction.operands.data() + instruction.operands.size(),
                  bytes);
  if (IsOneOf(std::to_string(bytes), {"4", "8", "16"})) CountGlobal(mix, bytes);
}

void CountArithmetic(const Instruction& instruction, InstructionMix& mix) {
  const std::string_view type = ComputeType(instruction);
  const bool floating = type.substr(0, 1) == "f" || type.substr(0, 2) == "bf";
  if (floating) {
    mix.set_floating_point_count(mix.floating_point_count() + 1);
  } else if (!type.empty() || instruction.Has("pred")) {
    mix.set_integer_count(mix.integer_count() + 1);
  }
}

bool IsArithmetic(std::string_view root) {
  return IsOneOf(root, {"add",   "sub",  "mul",  "mad",  "fma",  "div",  "rem",  "abs",      "neg",   "min",   "max",
                        "setp",  "set",  "selp", "slct", "and",  "or",   "xor",  "not",      "cnot",  "shl",   "shr",
                        "shf",   "lop3", "prmt", "bfe",  "bfi",  "bmsk", "brev", "clz",      "popc",  "bfind", "mad24",
                        "mul24", "sad",  "dp4a", "dp2a", "addc", "subc", "madc", "copysign", "testp", "szext", "fns"});
}

void CountInstruction(std::string_view text, InstructionMix& mix) {
  const Instruction instruction = Split(text);
  const std::string_view root = instruction.root;
  if (root.empty()) return;
  mix.set_instruction_count(mix.instruction_count() + 1);
  if (IsOneOf(root, {"ld", "ldu"})) {
    CountAccess(instruction, Access::kLoad, mix);
  } else if (root == "st") {
    CountAccess(instruction, Access::kStore, mix);
  } else if (root == "cp") {
    CountAsyncCopy(instruction, mix);
  } else if (root == "ldmatrix") {
    mix.set_shared_load_count(mix.shared_load_count() + 1);
  } else if (root == "stmatrix") {
    mix.set_shared_store_count(mix.shared_store_count() + 1);
  } else if (IsOneOf(root, {"mma", "wgmma", "tcgen05"}) || (root == "wmma" && instruction.Has("mma"))) {
    if (instruction.Has("mma") || instruction.Has("mma_async") || root == "mma")
      mix.set_tensor_count(mix.tensor_count() + 1);
  } else if (root == "wmma") {
    CountAccess(instruction, instruction.Has("load") ? Access::kLoad : Access::kStore, mix);
  } else if (IsOneOf(root, {"atom", "red"})) {
    mix.set_atomic_count(mix.atomic_count() + 1);
  } else if (IsOneOf(root, {"bar", "barrier"})) {
    if (!instruction.Has("warp")) mix.set_barrier_count(mix.barrier_count() + 1);
  } else if (IsOneOf(root, {"bra", "brx"})) {
    mix.set_branch_count(mix.branch_count() + 1);
  } else if (IsOneOf(root, {"sin", "cos", "ex2", "lg2", "tanh", "rsqrt", "sqrt", "rcp"})) {
    mix.set_special_function_count(mix.special_function_count() + 1);
  } else if (root == "cvt") {
    mix.set_conversion_count(mix.conversion_count() + 1);
  } else if (root == "shfl") {
    mix.set_shuffle_count(mix.shuffle_count() + 1);
  } else if (IsArithmetic(root)) {
    CountArithmetic(instruction, mix);
  }
}

// `.visible .entry name(`; nothing for functions.
std::optional<std::string> KernelName(std::string_view head) {
  const size_t entry = head.find(".entry");
  if (entry == std::string_view::npos) return std::nullopt;
  const size_t start = head.find_first_not_of(' ', entry + 6);
  if (start == std::string_view::npos) return std::nullopt;
  return std::string(head.substr(start, std::min(head.find_first_of(" (", start), head.size()) - start));
}

}  // namespace

std::vector<InstructionMix> CountInstructions(std::string_view ptx) {
  std::vector<InstructionMix> mixes;
  PtxReader reader(ptx);
  int64_t depth = 0;
  bool in_kernel = false;
  while (std::optional<PtxStatement> statement = reader.Next()) {
    switch (statement->kind) {
      case PtxStatement::Kind::kHead:
        depth = 0;
        in_kernel = false;
        if (std::optional<std::string> name = KernelName(statement->text); name.has_value()) {
          if (mixes.size() == kMostKernels) return mixes;
          mixes.emplace_back().set_kernel(*std::move(name));
          in_kernel = true;
        }
        break;
      case PtxStatement::Kind::kOpenBrace:
        ++depth;
        break;
      case PtxStatement::Kind::kCloseBrace:
        in_kernel = in_kernel && --depth > 0;
        break;
      case PtxStatement::Kind::kPlain:
        if (in_kernel && depth > 0 && statement->text.front() != '.') CountInstruction(statement->text, mixes.back());
        break;
    }
  }
  return mixes;
}

absl::StatusOr<reward::v1::AnalysisReport> InstructionMixAnalyzer::Analyze(const Subject& subject) const {
  reward::v1::AnalysisReport report;
  for (InstructionMix& mix : CountInstructions(subject.ptx)) *report.add_instruction_mixes() = std::move(mix);
  return report;
}

}  // namespace cudaperf::analyzers
