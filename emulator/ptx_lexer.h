#ifndef CUDAPERF_EMULATOR_PTX_LEXER_H_
#define CUDAPERF_EMULATOR_PTX_LEXER_H_

#include <cstdint>
#include <string_view>

namespace cudaperf::emulator {

struct PtxToken {
  enum class Kind { kEnd, kName, kDotWord, kInteger, kFloat32, kFloat64, kString, kPunctuation, kBad };
  Kind kind = Kind::kEnd;
  // Names with their `%` or `$`; dot words with their dot and `::` parts; strings without quotes.
  std::string_view text;
  // Integers, and the bits of floats.
  uint64_t value = 0;
  int32_t line = 1;

  bool Is(std::string_view expected) const { return kind != Kind::kString && text == expected; }
};

// Cuts PTX text into tokens, one at a time. Views point into the text. Never fails: bytes that start no token are kBad.
class PtxLexer {
 public:
  explicit PtxLexer(std::string_view text) : text_(text) {}
  PtxToken Next();

 private:
  void SkipBlanks();
  PtxToken Number();

  std::string_view text_;
  size_t at_ = 0;
  int32_t line_ = 1;
};

}  // namespace cudaperf::emulator

#endif  // CUDAPERF_EMULATOR_PTX_LEXER_H_
