#ifndef CUDAPERF_EMULATOR_PTX_SOURCE_H_
#define CUDAPERF_EMULATOR_PTX_SOURCE_H_

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "emulator/instruction.h"
#include "emulator/program.h"

namespace cudaperf::emulator {

// A variable declared in PTX: module scope, kernel scope or parameter.
struct PtxVariable {
  enum class Space { kGlobal, kConstant, kShared, kLocal, kParam, kOther };
  struct Reference {
    int64_t offset_bytes = 0;
    std::string_view name;
    int64_t addend = 0;
  };
  Space space = Space::kGlobal;
  std::string_view name;
  std::string_view type;
  int64_t size_bytes = 0;
  int64_t align_bytes = 1;
  // `.extern .shared .b8 name[]`: the dynamic part.
  bool is_unsized = false;
  std::string initial_bytes;
  std::vector<Reference> references;
};

// An operand, names already looked up in their scope.
struct PtxOperand {
  enum class Kind { kRegister, kImmediate, kFloat32, kFloat64, kVariable, kName, kAddress, kVector, kSink };
  Kind kind = Kind::kSink;
  // kRegister: index into PtxFunction::registers. kVariable: index into the function's or the module's variables.
  int32_t index = 0;
  bool is_module_variable = false;
  bool negated = false;
  // kImmediate, the bits of a float, or the offset of an address.
  int64_t value = 0;
  // Labels, functions and special registers with their suffix (`%tid.x`).
  std::string name;
  // kVector's elements; kAddress: its base; a register pair `p|q`: the second.
  std::vector<PtxOperand> parts;
};

struct PtxStatement {
  std::string_view opcode;
  std::vector<std::string_view> modifiers;
  std::vector<PtxOperand> operands;
  // Guard predicate register, -1 when none.
  int32_t guard = -1;
  bool guard_negated = false;
  SourceLine line;
  int32_t ptx_line = 0;
  int32_t scope = 0;
};

struct PtxLabel {
  int32_t scope = 0;
  // Index of the statement that follows it.
  int32_t statement = 0;
};

struct PtxFunction {
  std::string_view name;
  bool is_entry = false;
  bool has_body = false;
  // Indices into `variables`.
  std::vector<int32_t> parameters;
  std::vector<int32_t> results;
  std::vector<PtxVariable> variables;
  std::vector<Type> registers;
  std::vector<PtxStatement> statements;
  // Parent of every scope; the first is the body.
  std::vector<int32_t> scopes;
  std::multimap<std::string_view, PtxLabel> labels;
  // `.branchtargets` lists by label name.
  std::map<std::string_view, std::vector<std::string_view>> branch_targets;
  int64_t required_block[3] = {0, 0, 0};
  int64_t most_threads = 0;
};

// A parsed module. Views point into the PTX text.
struct PtxSource {
  std::vector<PtxVariable> variables;
  absl::flat_hash_map<std::string_view, int32_t> variable_index;
  std::vector<PtxFunction> functions;
  absl::flat_hash_map<std::string_view, int32_t> function_index;
  std::vector<std::string> files;
};

}  // namespace cudaperf::emulator

#endif  // CUDAPERF_EMULATOR_PTX_SOURCE_H_
