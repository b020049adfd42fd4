#ifndef CUDAPERF_EMULATOR_PTX_PARSER_H_
#define CUDAPERF_EMULATOR_PTX_PARSER_H_

#include <map>
#include <optional>
#include <string_view>
#include <tuple>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "emulator/ptx_lexer.h"
#include "emulator/ptx_source.h"

namespace cudaperf::emulator {

// Reads PTX text into a PtxSource, looking up every name in its scope. Knows the grammar, not the instructions. The
// text may be hostile: no recursion beyond nested operands, and statements, registers and declared bytes are bounded.
class PtxParser {
 public:
  static constexpr size_t kMaxStatements = 1 << 20;
  static constexpr size_t kMaxRegisters = 1 << 18;
  static constexpr size_t kMaxScopeDepth = 64;
  static constexpr int64_t kMaxVariableBytes = int64_t{1} << 30;
  // Global variables take no memory until they are loaded, where the device's limit decides.
  static constexpr int64_t kMaxGlobalBytes = int64_t{1} << 46;

  // `text` outlives the source.
  static absl::StatusOr<PtxSource> Parse(std::string_view text);

 private:
  struct RegisterRange {
    int32_t first = 0;
    int64_t count = 0;
  };
  struct Scope {
    int32_t id = 0;
    absl::flat_hash_map<std::string_view, int32_t> registers;
    absl::flat_hash_map<std::string_view, RegisterRange> ranges;
    absl::flat_hash_map<std::string_view, int32_t> variables;
  };
  using Location = std::tuple<uint64_t, uint64_t, uint64_t>;

  explicit PtxParser(std::string_view text);

  absl::Status ParseModule();
  absl::Status ParseDirective();
  absl::Status SkipSection();
  absl::Status SkipToSemicolon();
  absl::Status ParseFile();
  absl::Status ParseModuleVariable(PtxVariable::Space space);
  absl::Status ParseFunction(bool is_entry);
  absl::Status ParseParameters(PtxFunction& function, std::vector<int32_t>& into);
  absl::Status ParsePerformanceDirectives(PtxFunction& function);
  absl::Status ParseBody(PtxFunction& function);
  absl::Status ParseBodyDirective(PtxFunction& function);
  absl::Status ParseRegisters(PtxFunction& function);
  absl::Status ParseLocation();
  absl::Status ParseLabelOrInstruction(PtxFunction& function);
  absl::Status ParseAfterLabel(PtxFunction& function, std::string_view label);
  absl::Status ParseInstruction(PtxFunction& function, PtxStatement statement);
  absl::StatusOr<PtxOperand> ParseOperand(const PtxFunction& function, int depth);
  absl::StatusOr<PtxOperand> ParseAddress(const PtxFunction& function, int depth);
  absl::StatusOr<PtxOperand> ParseNamedOperand(const PtxFunction& function, int depth);
  // `.align 4 .b8 name[24]` after its space word; several declarators are separated by commas.
  absl::Status ParseVariables(PtxVariable::Space space, std::vector<PtxVariable>& into);
  absl::Status ParseInitializer(PtxVariable& variable);
  PtxOperand Lookup(const PtxFunction& function, std::string_view name) const;
  std::optional<int32_t> LookupRegister(std::string_view name) const;

  void Advance();
  bool Accept(std::string_view text);
  absl::Status Expect(std::string_view text);
  absl::StatusOr<int64_t> ParseInteger();
  absl::Status Error(std::string_view what) const;

  PtxLexer lexer_;
  PtxToken token_;
  PtxSource source_;
  std::vector<Scope> scopes_;
  SourceLine line_;
  size_t statement_count_ = 0;
  size_t register_count_ = 0;
  int64_t variable_bytes_ = 0;
  int64_t global_bytes_ = 0;
  // Where the code at a location was inlined, from the `.loc`s seen.
  std::map<Location, Location> inlined_at_;
  std::vector<std::string> file_names_;
};

}  // namespace cudaperf::emulator

#endif  // CUDAPERF_EMULATOR_PTX_PARSER_H_
