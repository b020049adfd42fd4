#include "sandbox/task/source_text.h"

#include "absl/strings/ascii.h"

namespace cudaperf::sandbox {
namespace {

bool IsOpening(char c) { return c == '(' || c == '[' || c == '{'; }
bool IsClosing(char c) { return c == ')' || c == ']' || c == '}'; }

// End of the literal that starts at `start` with its quote; an unfinished one ends with its line.
size_t LiteralEnd(absl::string_view source, size_t start) {
  const char quote = source[start];
  size_t i = start + 1;
  while (i < source.size() && source[i] != quote && source[i] != '\n') i += source[i] == '\\' ? 2 : 1;
  return i;
}

// A quote between digits separates them (1'000) and starts no literal.
bool IsDigitSeparator(absl::string_view source, size_t i) {
  return source[i] == '\'' && i > 0 && absl::ascii_isxdigit(source[i - 1]) && i + 1 < source.size() &&
         absl::ascii_isxdigit(source[i + 1]) && !(i > 1 && source[i - 2] == '\'');
}

}  // namespace

std::string WithoutComments(absl::string_view source) {
  std::string code(source);
  const auto blank = [&code](size_t from, size_t to) {
    for (size_t i = from; i < to && i < code.size(); ++i) {
      if (code[i] != '\n') code[i] = ' ';
    }
  };
  for (size_t i = 0; i < source.size();) {
    if (source.substr(i, 2) == "//") {
      size_t end = source.find('\n', i);
      if (end == absl::string_view::npos) end = source.size();
      blank(i, end);
      i = end;
    } else if (source.substr(i, 2) == "/*") {
      size_t end = source.find("*/", i + 2);
      end = end == absl::string_view::npos ? source.size() : end + 2;
      blank(i, end);
      i = end;
    } else if (source[i] == '"' || (source[i] == '\'' && !IsDigitSeparator(source, i))) {
      const size_t end = LiteralEnd(source, i);
      blank(i + 1, end);
      i = end + 1;
    } else {
      ++i;
    }
  }
  return code;
}

std::vector<absl::string_view> SplitArguments(absl::string_view text) {
  std::vector<absl::string_view> pieces;
  if (absl::StripAsciiWhitespace(text).empty()) return pieces;
  int depth = 0;
  size_t start = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    if (i == text.size() || (text[i] == ',' && depth == 0)) {
      pieces.push_back(absl::StripAsciiWhitespace(text.substr(start, i - start)));
      start = i + 1;
    } else if (IsOpening(text[i])) {
      ++depth;
    } else if (IsClosing(text[i])) {
      --depth;
    }
  }
  return pieces;
}

size_t MatchingBracket(absl::string_view text, size_t open) {
  int depth = 0;
  for (size_t i = open; i < text.size(); ++i) {
    if (IsOpening(text[i])) ++depth;
    if (IsClosing(text[i]) && --depth == 0) return i;
  }
  return absl::string_view::npos;
}

}  // namespace cudaperf::sandbox
