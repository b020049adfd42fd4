#include "analyzers/inline_assembly.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

namespace cudaperf::analyzers {
namespace {

// PTX module directives and those of the host's assembler that place symbols, sections or files.
constexpr std::array<std::string_view, 27> kOutreaching = {
    ".entry", ".func",    ".visible", ".extern",  ".weak",        ".common",     ".global",   ".globl", ".const",
    ".alias", ".incbin",  ".include", ".section", ".pushsection", ".popsection", ".previous", ".text",  ".data",
    ".bss",   ".version", ".target",  ".file",    ".type",        ".set",        ".equ",      ".org",   ".macro"};

bool IsBlank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

std::string WithoutComments(const std::string& text) {
  std::string stripped;
  for (size_t i = 0; i < text.size();) {
    if (text.compare(i, 2, "//") == 0) {
      i = std::min(text.find('\n', i), text.size());
    } else if (text.compare(i, 2, "/*") == 0) {
      const size_t end = text.find("*/", i + 2);
      i = end == std::string::npos ? text.size() : end + 2;
      stripped.push_back(' ');
    } else {
      stripped.push_back(text[i++]);
    }
  }
  return stripped;
}

}  // namespace

std::vector<InlineAssembly> FindInlineAssembly(const std::vector<SourceToken>& tokens) {
  std::vector<InlineAssembly> found;
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (!tokens[i].Is("asm") && !tokens[i].Is("__asm__") && !tokens[i].Is("__asm")) continue;
    const int32_t line = tokens[i].line;
    size_t next = i + 1;
    while (next < tokens.size() && tokens[next].kind == SourceToken::Kind::kWord) ++next;
    if (next == tokens.size() || !tokens[next].Is("(")) continue;
    InlineAssembly assembly = {.text = "", .line = line};
    // Operands follow the first colon.
    for (++next; next < tokens.size() && !tokens[next].Is(":") && !tokens[next].Is(")") && !tokens[next].Is(";");
         ++next) {
      if (tokens[next].kind == SourceToken::Kind::kString) assembly.text += tokens[next].text;
    }
    found.push_back(std::move(assembly));
    i = next - 1;
  }
  return found;
}

std::string OutreachingDirective(const std::string& raw) {
  const std::string text = WithoutComments(raw);
  bool at_start = true;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (IsBlank(c) && c != '\n') continue;
    if (at_start && c == '.') {
      size_t end = i + 1;
      while (end < text.size() && ((text[end] >= 'a' && text[end] <= 'z') || text[end] == '_')) ++end;
      const std::string_view word = std::string_view(text).substr(i, end - i);
      if (std::find(kOutreaching.begin(), kOutreaching.end(), word) != kOutreaching.end()) return std::string(word);
    }
    at_start = c == ';' || c == '{' || c == '}' || c == '\n' || c == ':';
  }
  return "";
}

}  // namespace cudaperf::analyzers
