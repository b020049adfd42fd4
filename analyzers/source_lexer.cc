#include "analyzers/source_lexer.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace cudaperf::analyzers {
namespace {

constexpr size_t kMostTokens = 1'000'000;
// The longest delimiter of a raw string literal that C++ allows.
constexpr size_t kLongestDelimiter = 16;

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
// Bytes beyond ASCII are letters of UTF-8 identifiers.
bool IsWordPart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || IsDigit(c) || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}
bool IsOctal(char c) { return c >= '0' && c <= '7'; }
int HexValue(char c) {
  if (IsDigit(c)) return c - '0';
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

class Lexer {
 public:
  explicit Lexer(std::string_view source) : source_(source) {}

  std::vector<SourceToken> Run() {
    while (position_ < source_.size() && tokens_.size() < kMostTokens) Step();
    return std::move(tokens_);
  }

 private:
  // The character `ahead` of the next one, 0 beyond the end. Spliced lines are invisible.
  char Peek(size_t ahead = 0) const {
    size_t at = SkipSplices(position_);
    for (size_t i = 0; i < ahead && at < source_.size(); ++i) at = SkipSplices(at + 1);
    return at < source_.size() ? source_[at] : '\0';
  }

  size_t SkipSplices(size_t at) const {
    while (at < source_.size() && source_[at] == '\\') {
      if (source_.substr(at + 1, 1) == "\n") {
        at += 2;
      } else if (source_.substr(at + 1, 2) == "\r\n") {
        at += 3;
      } else {
        break;
      }
    }
    return at;
  }

  char Take() {
    const size_t next = SkipSplices(position_);
    for (; position_ < next; ++position_) line_ += source_[position_] == '\n' ? 1 : 0;
    if (position_ >= source_.size()) return '\0';
    const char c = source_[position_++];
    line_ += c == '\n' ? 1 : 0;
    return c;
  }

  bool AtEnd() const { return SkipSplices(position_) >= source_.size(); }

  void Emit(SourceToken::Kind kind, std::string text, int32_t line) {
    tokens_.push_back({.kind = kind, .text = std::move(text), .line = line, .in_directive = in_directive_});
  }

  void Step() {
    const char c = Peek();
    if (c == '\n') {
      Take();
      in_directive_ = false;
      fresh_line_ = true;
    } else if (c == '/' && Peek(1) == '/') {
      while (!AtEnd() && Peek() != '\n') Take();
    } else if (c == '/' && Peek(1) == '*') {
      BlockComment();
    } else if (c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f' || c == '\0') {
      Take();
    } else {
      const bool fresh = std::exchange(fresh_line_, false);
      Significant(c, fresh);
    }
  }

  void BlockComment() {
    Take();
    Take();
    char last = '\0';
    while (!AtEnd()) {
      const char c = Take();
      if (last == '*' && c == '/') return;
      last = c;
    }
  }

  void Significant(char c, bool fresh_line) {
    const int32_t line = line_;
    if (c == '"') {
      Emit(SourceToken::Kind::kString, QuotedText('"'), line);
    } else if (c == '\'') {
      QuotedText('\'');
    } else if (IsWordPart(c)) {
      Word(line);
    } else {
      Take();
      const bool digraph = c == '%' && Peek() == ':';
      if (fresh_line && (c == '#' || digraph)) {
        if (digraph) Take();
        in_directive_ = true;
        c = '#';
      }
      Emit(SourceToken::Kind::kPunctuation, std::string(1, c), line);
    }
  }

  void Word(int32_t line) {
    std::string word;
    const bool number = IsDigit(Peek());
    // A quote between digits separates thousands.
    while (IsWordPart(Peek()) || (number && Peek() == '\'' && IsWordPart(Peek(1)))) word.push_back(Take());
    const bool prefix = word == "R" || word == "u8R" || word == "uR" || word == "UR" || word == "LR";
    if (prefix && Peek() == '"') {
      RawString(line);
      return;
    }
    if ((word == "u8" || word == "u" || word == "U" || word == "L") && (Peek() == '"' || Peek() == '\'')) return;
    const bool names_header =
        in_directive_ && (word == "include" || word == "include_next" || word == "import" || word == "embed" ||
                          word == "__has_include" || word == "__has_include_next");
    Emit(SourceToken::Kind::kWord, std::move(word), line);
    if (names_header) HeaderName();
  }

  void HeaderName() {
    while (Peek() == ' ' || Peek() == '\t' || Peek() == '(') Take();
    const char open = Peek();
    if (open != '<' && open != '"') return;
    const int32_t line = line_;
    Take();
    const char close = open == '<' ? '>' : '"';
    std::string name;
    while (!AtEnd() && Peek() != '\n') {
      const char c = Take();
      if (c == close) break;
      name.push_back(c);
    }
    Emit(SourceToken::Kind::kHeaderName, std::move(name), line);
  }

  // Up to the closing quote or the end of the line.
  std::string QuotedText(char quote) {
    Take();
    std::string text;
    while (!AtEnd() && Peek() != '\n') {
      const char c = Take();
      if (c == quote) break;
      text.push_back(c == '\\' ? Escaped() : c);
    }
    return text;
  }

  char Escaped() {
    if (AtEnd() || Peek() == '\n') return '\\';
    const char c = Take();
    if (IsOctal(c)) {
      int value = c - '0';
      for (int i = 0; i < 2 && IsOctal(Peek()); ++i) value = value * 8 + (Take() - '0');
      return static_cast<char>(value);
    }
    if (c == 'x' && HexValue(Peek()) >= 0) {
      int value = 0;
      while (HexValue(Peek()) >= 0) value = (value * 16 + HexValue(Take())) & 0xff;
      return static_cast<char>(value);
    }
    if (c == 'n') return '\n';
    if (c == 't') return '\t';
    return c;
  }

  // Nothing is spliced or escaped in it.
  void RawString(int32_t line) {
    Take();
    std::string close = ")";
    while (position_ < source_.size() && source_[position_] != '(' && close.size() <= kLongestDelimiter) {
      close.push_back(source_[position_++]);
    }
    close.push_back('"');
    if (position_ >= source_.size() || source_[position_] != '(') return;
    ++position_;
    const size_t end = std::min(source_.find(close, position_), source_.size());
    std::string text(source_.substr(position_, end - position_));
    for (const char c : text) line_ += c == '\n' ? 1 : 0;
    position_ = std::min(end + close.size(), source_.size());
    Emit(SourceToken::Kind::kString, std::move(text), line);
  }

  std::string_view source_;
  size_t position_ = 0;
  int32_t line_ = 1;
  bool fresh_line_ = true;
  bool in_directive_ = false;
  std::vector<SourceToken> tokens_;
};

}  // namespace

std::vector<SourceToken> LexSource(std::string_view source) { return Lexer(source).Run(); }

}  // namespace cudaperf::analyzers
