#include "emulator/ptx_parser.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace cudaperf::emulator {
namespace {

using Kind = PtxToken::Kind;

constexpr size_t kMaxFiles = 4096;

#define EMULATOR_RETURN_IF_ERROR(expression)              \
  if (absl::Status status = (expression); !status.ok()) { \
    return status;                                        \
  }

// The file name without its folders.
std::string_view BaseName(std::string_view path) {
  const size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

}  // namespace

PtxParser::PtxParser(std::string_view text) : lexer_(text) { Advance(); }

absl::StatusOr<PtxSource> PtxParser::Parse(std::string_view text) {
  PtxParser parser(text);
  EMULATOR_RETURN_IF_ERROR(parser.ParseModule());
  parser.source_.files = std::move(parser.file_names_);
  return std::move(parser.source_);
}

void PtxParser::Advance() { token_ = lexer_.Next(); }

bool PtxParser::Accept(std::string_view text) {
  if (!token_.Is(text)) return false;
  Advance();
  return true;
}

absl::Status PtxParser::Error(std::string_view what) const {
  return absl::InvalidArgumentError(
      absl::StrFormat("PTX line %d: %s near `%s`", token_.line, what, std::string(token_.text.substr(0, 40))));
}

absl::Status PtxParser::Expect(std::string_view text) {
  return Accept(text) ? absl::OkStatus() : Error(absl::StrCat("expected `", std::string(text), "`"));
}

absl::StatusOr<int64_t> PtxParser::ParseInteger() {
  const bool negative = Accept("-");
  if (token_.kind != Kind::kInteger) return Error("expected a number");
  const uint64_t value = token_.value;
  Advance();
  return static_cast<int64_t>(negative ? 0 - value : value);
}

absl::Status PtxParser::SkipToSemicolon() {
  while (token_.kind != Kind::kEnd && !token_.Is(";")) Advance();
  return Expect(";");
}

absl::Status PtxParser::SkipSection() {
  while (token_.kind != Kind::kEnd && !token_.Is("{")) Advance();
  int64_t depth = 0;
  do {
    if (token_.kind == Kind::kEnd) return Error("section without end");
    depth += token_.Is("{") ? 1 : token_.Is("}") ? -1 : 0;
    Advance();
  } while (depth > 0);
  return absl::OkStatus();
}

absl::Status PtxParser::ParseModule() {
  if (!Accept(".version")) return Error("no `.version`");
  if (token_.kind != Kind::kFloat64 && token_.kind != Kind::kInteger) return Error("expected a version");
  Advance();
  while (token_.kind != Kind::kEnd) EMULATOR_RETURN_IF_ERROR(ParseDirective());
  return absl::OkStatus();
}

absl::Status PtxParser::ParseDirective() {
  while (token_.Is(".extern") || token_.Is(".visible") || token_.Is(".weak") || token_.Is(".common")) Advance();
  if (Accept(";")) return absl::OkStatus();
  if (token_.kind != Kind::kDotWord) return Error("expected a directive");
  if (Accept(".target")) {
    while (token_.kind == Kind::kName || token_.Is(",")) Advance();
    return absl::OkStatus();
  }
  if (Accept(".address_size")) {
    absl::StatusOr<int64_t> bits = ParseInteger();
    if (!bits.ok()) return bits.status();
    return *bits == 64 ? absl::OkStatus() : Error("only 64-bit PTX is known");
  }
  if (Accept(".file")) return ParseFile();
  if (Accept(".section")) return SkipSection();
  if (Accept(".pragma") || Accept(".alias")) return SkipToSemicolon();
  if (Accept(".entry")) return ParseFunction(true);
  if (Accept(".func")) return ParseFunction(false);
  if (Accept(".global")) return ParseModuleVariable(PtxVariable::Space::kGlobal);
  if (Accept(".const")) return ParseModuleVariable(PtxVariable::Space::kConstant);
  if (Accept(".shared")) return ParseModuleVariable(PtxVariable::Space::kShared);
  return Error("unknown directive");
}

absl::Status PtxParser::ParseFile() {
  absl::StatusOr<int64_t> index = ParseInteger();
  if (!index.ok()) return index.status();
  if (*index < 0 || *index >= static_cast<int64_t>(kMaxFiles)) return Error("file number out of range");
  if (token_.kind != Kind::kString) return Error("expected a file name");
  if (static_cast<int64_t>(file_names_.size()) <= *index) file_names_.resize(*index + 1);
  file_names_[*index] = std::string(BaseName(token_.text).substr(0, 256));
  Advance();
  while (Accept(",")) {
    absl::StatusOr<int64_t> ignored = ParseInteger();
    if (!ignored.ok()) return ignored.status();
  }
  return absl::OkStatus();
}

absl::Status PtxParser::ParseModuleVariable(PtxVariable::Space space) {
  const size_t first = source_.variables.size();
  EMULATOR_RETURN_IF_ERROR(ParseVariables(space, source_.variables));
  for (size_t i = first; i < source_.variables.size(); ++i) {
    source_.variable_index[source_.variables[i].name] = static_cast<int32_t>(i);
  }
  return Expect(";");
}

absl::Status PtxParser::ParseFunction(bool is_entry) {
  PtxFunction function;
  function.is_entry = is_entry;
  scopes_.assign(1, Scope{});
  function.scopes.push_back(-1);
  if (!is_entry && token_.Is("(")) EMULATOR_RETURN_IF_ERROR(ParseParameters(function, function.results));
  if (token_.kind != Kind::kName) return Error("expected a function name");
  function.name = token_.text;
  Advance();
  if (token_.Is("(")) EMULATOR_RETURN_IF_ERROR(ParseParameters(function, function.parameters));
  EMULATOR_RETURN_IF_ERROR(ParsePerformanceDirectives(function));
  if (token_.Is("{")) {
    function.has_body = true;
    EMULATOR_RETURN_IF_ERROR(ParseBody(function));
  } else {
    EMULATOR_RETURN_IF_ERROR(Expect(";"));
  }
  auto [known, inserted] = source_.function_index.try_emplace(function.name, source_.functions.size());
  if (inserted) {
    source_.functions.push_back(std::move(function));
  } else if (function.has_body) {
    if (source_.functions[known->second].has_body) return Error("function defined twice");
    source_.functions[known->second] = std::move(function);
  }
  return absl::OkStatus();
}

absl::Status PtxParser::ParseParameters(PtxFunction& function, std::vector<int32_t>& into) {
  EMULATOR_RETURN_IF_ERROR(Expect("("));
  while (!token_.Is(")")) {
    if (!Accept(".param")) return Error("expected `.param`");
    const size_t first = function.variables.size();
    EMULATOR_RETURN_IF_ERROR(ParseVariables(PtxVariable::Space::kParam, function.variables));
    if (function.variables.size() != first + 1) {
      // The comma belonged to the next `.param`; ParseVariables stops there.
      return Error("expected one parameter");
    }
    into.push_back(static_cast<int32_t>(first));
    scopes_[0].variables[function.variables[first].name] = static_cast<int32_t>(first);
    if (!Accept(",")) break;
  }
  return Expect(")");
}

absl::Status PtxParser::ParsePerformanceDirectives(PtxFunction& function) {
  while (token_.kind == Kind::kDotWord) {
    const std::string_view word = token_.text;
    Advance();
    if (word == ".pragma") {
      EMULATOR_RETURN_IF_ERROR(SkipToSemicolon());
      continue;
    }
    int64_t values[3] = {1, 1, 1};
    int count = 0;
    while (token_.kind == Kind::kInteger) {
      if (count < 3) values[count++] = static_cast<int64_t>(token_.value);
      Advance();
      if (!Accept(",")) break;
    }
    const auto bounded = [](int64_t value) { return value < 1 ? 1 : value > 1024 ? 1025 : value; };
    if (word == ".maxntid") function.most_threads = bounded(values[0]) * bounded(values[1]) * bounded(values[2]);
    if (word == ".reqntid") {
      for (int i = 0; i < 3; ++i) function.required_block[i] = values[i];
    }
  }
  return absl::OkStatus();
}

absl::Status PtxParser::ParseVariables(PtxVariable::Space space, std::vector<PtxVariable>& into) {
  PtxVariable shape;
  shape.space = space;
  int64_t vector = 1;
  while (token_.kind == Kind::kDotWord || token_.Is("(")) {
    if (Accept(".align")) {
      absl::StatusOr<int64_t> align = ParseInteger();
      if (!align.ok()) return align.status();
      if (*align < 1 || *align > 4096 || (*align & (*align - 1)) != 0) return Error("bad alignment");
      if (shape.type.empty()) shape.align_bytes = *align;
    } else if (Accept(".attribute")) {
      while (token_.kind != Kind::kEnd && !token_.Is(")")) Advance();
      EMULATOR_RETURN_IF_ERROR(Expect(")"));
    } else if (token_.Is(".v2") || token_.Is(".v4")) {
      vector = token_.Is(".v2") ? 2 : 4;
      Advance();
    } else if (token_.Is(".ptr") || !shape.type.empty()) {
      Advance();
    } else {
      shape.type = token_.text.substr(1);
      Advance();
    }
  }
  static constexpr std::pair<std::string_view, int> kSizes[] = {
      {"b8", 1},  {"u8", 1},  {"s8", 1},  {"b16", 2}, {"u16", 2}, {"s16", 2}, {"f16", 2}, {"bf16", 2},  {"b32", 4},
      {"u32", 4}, {"s32", 4}, {"f32", 4}, {"b64", 8}, {"u64", 8}, {"s64", 8}, {"f64", 8}, {"b128", 16}, {"f16x2", 4}};
  int64_t element = 0;
  for (const auto& [name, size] : kSizes) {
    if (shape.type == name) element = size;
  }
  if (element == 0) return Error("unknown type");
  element *= vector;
  const int64_t most_bytes = space == PtxVariable::Space::kGlobal ? kMaxGlobalBytes : kMaxVariableBytes;
  shape.align_bytes = std::max(shape.align_bytes, element);
  do {
    PtxVariable variable = shape;
    if (token_.kind != Kind::kName) return Error("expected a name");
    variable.name = token_.text;
    Advance();
    int64_t count = 1;
    while (Accept("[")) {
      if (Accept("]")) {
        variable.is_unsized = true;
        continue;
      }
      absl::StatusOr<int64_t> extent = ParseInteger();
      if (!extent.ok()) return extent.status();
      if (*extent < 0 || *extent > most_bytes || (count > 0 && *extent > most_bytes / count)) return Error("too large");
      count *= *extent;
      EMULATOR_RETURN_IF_ERROR(Expect("]"));
    }
    variable.size_bytes = variable.is_unsized ? 0 : count * element;
    int64_t& declared_bytes = space == PtxVariable::Space::kGlobal ? global_bytes_ : variable_bytes_;
    declared_bytes += variable.size_bytes;
    if (declared_bytes > most_bytes) return Error("too many bytes declared");
    if (Accept("=")) EMULATOR_RETURN_IF_ERROR(ParseInitializer(variable));
    into.push_back(std::move(variable));
    if (into.size() > kMaxRegisters) return Error("too many variables");
    if (space == PtxVariable::Space::kParam) return absl::OkStatus();
  } while (Accept(","));
  return absl::OkStatus();
}

absl::Status PtxParser::ParseInitializer(PtxVariable& variable) {
  int64_t element = 4;
  for (const auto& [suffix, size] : {std::pair{"8", 1}, {"16", 2}, {"32", 4}, {"64", 8}}) {
    if (variable.type.ends_with(suffix)) element = size;
  }
  int64_t depth = 0;
  do {
    if (Accept("{")) {
      ++depth;
      continue;
    }
    if (Accept("}")) {
      --depth;
      continue;
    }
    if (Accept(",")) continue;
    uint64_t value = 0;
    const bool negative = Accept("-");
    if (token_.kind == Kind::kInteger || token_.kind == Kind::kFloat32 || token_.kind == Kind::kFloat64) {
      value = negative ? 0 - token_.value : token_.value;
      Advance();
    } else if (token_.kind == Kind::kName) {
      const bool generic = Accept("generic");
      if (generic) EMULATOR_RETURN_IF_ERROR(Expect("("));
      PtxVariable::Reference reference{static_cast<int64_t>(variable.initial_bytes.size()), token_.text, 0};
      Advance();
      if (generic) EMULATOR_RETURN_IF_ERROR(Expect(")"));
      if (Accept("+")) {
        absl::StatusOr<int64_t> addend = ParseInteger();
        if (!addend.ok()) return addend.status();
        reference.addend = *addend;
      }
      variable.references.push_back(reference);
    } else {
      return Error("bad initial value");
    }
    if (static_cast<int64_t>(variable.initial_bytes.size()) + element > variable.size_bytes) {
      if (!variable.is_unsized) return Error("too many initial values");
      variable.size_bytes = static_cast<int64_t>(variable.initial_bytes.size()) + element;
    }
    variable.initial_bytes.append(reinterpret_cast<const char*>(&value), element);
  } while (depth > 0);
  return absl::OkStatus();
}

}  // namespace cudaperf::emulator
