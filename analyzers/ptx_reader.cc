#include "analyzers/ptx_reader.h"

#include <algorithm>
#include <array>

namespace cudaperf::analyzers {
namespace {

constexpr size_t kLongestStatement = 1024;
// Directives that end with their line.
constexpr std::array<std::string_view, 6> kLineDirectives = {".loc",    ".file",         ".version",
                                                             ".target", ".address_size", ".section"};

bool IsBlank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

bool IsWordPart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' ||
         c == '%' || c == '.';
}

void Append(std::string& text, char c) {
  if (text.size() < kLongestStatement) text.push_back(c);
}

bool ContainsWord(std::string_view text, std::string_view word) {
  for (size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const size_t end = at + word.size();
    if ((at == 0 || !IsWordPart(text[at - 1])) && (end == text.size() || !IsWordPart(text[end]))) return true;
  }
  return false;
}

}  // namespace

bool PtxReader::SkipBlank() {
  const size_t start = position_;
  while (position_ < ptx_.size()) {
    if (IsBlank(ptx_[position_])) {
      ++position_;
    } else if (ptx_.substr(position_, 2) == "//") {
      position_ = std::min(ptx_.find('\n', position_), ptx_.size());
    } else if (ptx_.substr(position_, 2) == "/*") {
      const size_t end = ptx_.find("*/", position_ + 2);
      position_ = end == std::string_view::npos ? ptx_.size() : end + 2;
    } else {
      break;
    }
  }
  return position_ > start;
}

void PtxReader::TakeString(std::string& text) {
  Append(text, ptx_[position_++]);
  while (position_ < ptx_.size() && ptx_[position_] != '\n') {
    const char c = ptx_[position_++];
    Append(text, c);
    if (c == '"') return;
  }
}

PtxStatement PtxReader::ReadLine() {
  PtxStatement statement;
  while (position_ < ptx_.size() && ptx_[position_] != '\n') Append(statement.text, ptx_[position_++]);
  return statement;
}

PtxStatement PtxReader::ReadStatement() {
  PtxStatement statement;
  std::string& text = statement.text;
  while (position_ < ptx_.size()) {
    if (SkipBlank()) {
      if (!text.empty()) Append(text, ' ');
      continue;
    }
    const char c = ptx_[position_];
    if (c == '"') {
      TakeString(text);
      continue;
    }
    if (c == '{' && (ContainsWord(text, ".entry") || ContainsWord(text, ".func"))) {
      statement.kind = PtxStatement::Kind::kHead;
      break;
    }
    // The end of a body ends a statement that lacks its semicolon.
    if (c == '}' && text.find('{') == std::string::npos) break;
    ++position_;
    if (c == ';') break;
    // A label: one word before the first colon. `::` belongs to a state space.
    const bool doubled = position_ < ptx_.size() && ptx_[position_] == ':';
    if (c == ':' && !doubled && text.find_first_of(" ,[:") == std::string::npos) {
      text.clear();
      SkipBlank();
      break;
    }
    Append(text, c);
  }
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return statement;
}

std::optional<PtxStatement> PtxReader::Next() {
  while (true) {
    SkipBlank();
    if (position_ >= ptx_.size()) return std::nullopt;
    if (ptx_[position_] == '{' || ptx_[position_] == '}') {
      const bool opens = ptx_[position_++] == '{';
      return PtxStatement{.kind = opens ? PtxStatement::Kind::kOpenBrace : PtxStatement::Kind::kCloseBrace, .text = ""};
    }
    for (const std::string_view directive : kLineDirectives) {
      const std::string_view rest = ptx_.substr(position_);
      if (rest.substr(0, directive.size()) == directive && rest.size() > directive.size() &&
          !IsWordPart(rest[directive.size()])) {
        return ReadLine();
      }
    }
    const size_t start = position_;
    PtxStatement statement = ReadStatement();
    if (!statement.text.empty()) return statement;
    // A stray semicolon or a label; every round moves on.
    if (position_ == start) ++position_;
  }
}

}  // namespace cudaperf::analyzers
