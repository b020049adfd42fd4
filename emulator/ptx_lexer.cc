#include "emulator/ptx_lexer.h"

#include <bit>
#include <cstdlib>
#include <string>

namespace cudaperf::emulator {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsNameStart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c == '%';
}
bool IsNamePart(char c) { return IsNameStart(c) || IsDigit(c); }

int HexDigit(char c) {
  if (IsDigit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

void PtxLexer::SkipBlanks() {
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c == '\n') {
      ++line_;
      ++at_;
    } else if (c == ' ' || c == '\t' || c == '\r') {
      ++at_;
    } else if (c == '/' && text_.substr(at_, 2) == "//") {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else if (c == '/' && text_.substr(at_, 2) == "/*") {
      const size_t end = text_.find("*/", at_ + 2);
      const size_t stop = end == std::string_view::npos ? text_.size() : end + 2;
      for (; at_ < stop; ++at_) line_ += text_[at_] == '\n';
    } else {
      return;
    }
  }
}

PtxToken PtxLexer::Number() {
  PtxToken token{.kind = PtxToken::Kind::kInteger, .line = line_};
  const size_t start = at_;
  const std::string_view prefix = text_.substr(at_, 2);
  const bool is_float_bits = prefix == "0f" || prefix == "0F" || prefix == "0d" || prefix == "0D";
  if (is_float_bits || prefix == "0x" || prefix == "0X") {
    at_ += 2;
    for (; at_ < text_.size() && HexDigit(text_[at_]) >= 0; ++at_)
      token.value = token.value * 16 + HexDigit(text_[at_]);
    if (is_float_bits)
      token.kind = prefix[1] == 'f' || prefix[1] == 'F' ? PtxToken::Kind::kFloat32 : PtxToken::Kind::kFloat64;
  } else if (prefix == "0b" || prefix == "0B") {
    for (at_ += 2; at_ < text_.size() && (text_[at_] == '0' || text_[at_] == '1'); ++at_)
      token.value = token.value * 2 + (text_[at_] - '0');
  } else {
    const bool octal = prefix.size() == 2 && prefix[0] == '0' && IsDigit(prefix[1]);
    for (; at_ < text_.size() && IsDigit(text_[at_]); ++at_)
      token.value = token.value * (octal ? 8 : 10) + (text_[at_] - '0');
    if (at_ + 1 < text_.size() && text_[at_] == '.' && IsDigit(text_[at_ + 1])) {
      for (++at_; at_ < text_.size() && (IsDigit(text_[at_]) || text_[at_] == 'e' || text_[at_] == 'E' ||
                                         ((text_[at_] == '-' || text_[at_] == '+') && (text_[at_ - 1] | 32) == 'e'));) {
        ++at_;
      }
      token.kind = PtxToken::Kind::kFloat64;
      token.value =
          std::bit_cast<uint64_t>(std::strtod(std::string(text_.substr(start, at_ - start)).c_str(), nullptr));
    }
  }
  if (at_ < text_.size() && text_[at_] == 'U') ++at_;
  token.text = text_.substr(start, at_ - start);
  return token;
}

PtxToken PtxLexer::Next() {
  SkipBlanks();
  PtxToken token{.line = line_};
  if (at_ >= text_.size()) return token;
  const size_t start = at_;
  const char c = text_[at_];
  if (IsDigit(c)) return Number();
  if (IsNameStart(c)) {
    while (at_ < text_.size() && IsNamePart(text_[at_])) ++at_;
    token.kind = PtxToken::Kind::kName;
  } else if (c == '.' && at_ + 1 < text_.size() && IsNamePart(text_[at_ + 1])) {
    ++at_;
    while (at_ < text_.size() && (IsNamePart(text_[at_]) || text_.substr(at_, 2) == "::"))
      at_ += text_[at_] == ':' ? 2 : 1;
    token.kind = PtxToken::Kind::kDotWord;
  } else if (c == '"') {
    const size_t end = text_.find('"', at_ + 1);
    at_ = end == std::string_view::npos ? text_.size() : end + 1;
    token.kind = PtxToken::Kind::kString;
    token.text = text_.substr(start + 1, at_ - start - (end == std::string_view::npos ? 1 : 2));
    return token;
  } else {
    ++at_;
    token.kind = std::string_view("{}[]()<>,;:|!@+-=*/~&^?").find(c) == std::string_view::npos
                     ? PtxToken::Kind::kBad
                     : PtxToken::Kind::kPunctuation;
  }
  token.text = text_.substr(start, at_ - start);
  return token;
}

}  // namespace cudaperf::emulator
