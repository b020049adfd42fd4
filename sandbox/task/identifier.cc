#include "sandbox/task/identifier.h"

#include <algorithm>
#include <cstdint>
#include <iterator>

#include "absl/strings/ascii.h"

namespace cudaperf::sandbox {
namespace {

// Of C11 and C++20, those that a person could take for a name.
constexpr absl::string_view kKeywords[] = {"alignas",   "alignof",
                                           "and",       "asm",
                                           "auto",      "bool",
                                           "break",     "case",
                                           "catch",     "char",
                                           "class",     "concept",
                                           "const",     "continue",
                                           "default",   "delete",
                                           "do",        "double",
                                           "else",      "enum",
                                           "explicit",  "export",
                                           "extern",    "false",
                                           "float",     "for",
                                           "friend",    "goto",
                                           "if",        "inline",
                                           "int",       "long",
                                           "main",      "mutable",
                                           "namespace", "new",
                                           "noexcept",  "not",
                                           "nullptr",   "operator",
                                           "or",        "private",
                                           "protected", "public",
                                           "register",  "requires",
                                           "restrict",  "return",
                                           "short",     "signed",
                                           "sizeof",    "static",
                                           "struct",    "switch",
                                           "template",  "this",
                                           "throw",     "true",
                                           "try",       "typedef",
                                           "typename",  "union",
                                           "unsigned",  "using",
                                           "virtual",   "void",
                                           "volatile",  "while",
                                           "xor",       "wchar_t",
                                           "decltype",  "typeid",
                                           "constexpr", "cudaperf_invoke"};

// Length of the sequence that `lead` starts and the smallest code point it may stand for; 0 for a byte that starts
// none.
struct Sequence {
  int length;
  uint32_t least;
};

Sequence SequenceOf(uint8_t lead) {
  if (lead < 0x80) return {1, 0};
  if (lead >= 0xC2 && lead < 0xE0) return {2, 0x80};
  if (lead >= 0xE0 && lead < 0xF0) return {3, 0x800};
  if (lead >= 0xF0 && lead < 0xF5) return {4, 0x10000};
  return {0, 0};
}

}  // namespace

bool IsIdentifier(absl::string_view name) {
  if (name.empty() || name.size() > 64) return false;
  if (!absl::ascii_isalpha(name[0]) && name[0] != '_') return false;
  if (!std::all_of(name.begin(), name.end(), [](char c) { return absl::ascii_isalnum(c) || c == '_'; })) return false;
  return std::find(std::begin(kKeywords), std::end(kKeywords), name) == std::end(kKeywords);
}

bool IsUtf8(absl::string_view text) {
  for (size_t i = 0; i < text.size();) {
    const auto lead = static_cast<uint8_t>(text[i]);
    const Sequence sequence = SequenceOf(lead);
    if (sequence.length == 0 || i + sequence.length > text.size()) return false;
    uint32_t code = sequence.length == 1 ? lead : lead & (0xFFu >> (sequence.length + 1));
    for (int k = 1; k < sequence.length; ++k) {
      const auto next = static_cast<uint8_t>(text[i + k]);
      if ((next & 0xC0) != 0x80) return false;
      code = code << 6 | (next & 0x3F);
    }
    if (code < sequence.least || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) return false;
    i += sequence.length;
  }
  return true;
}

}  // namespace cudaperf::sandbox
