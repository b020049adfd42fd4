#ifndef CUDAPERF_ANALYZERS_SOURCE_LEXER_H_
#define CUDAPERF_ANALYZERS_SOURCE_LEXER_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cudaperf::analyzers {

// One token of CUDA C++ before preprocessing.
struct SourceToken {
  enum class Kind {
    // Identifier, keyword or number.
    kWord,
    // Content of a string literal, escapes resolved, without prefix and quotes.
    kString,
    // Content between `<` and `>` or quotes of an include directive or `__has_include`.
    kHeaderName,
    // One character.
    kPunctuation,
  };
  Kind kind = Kind::kPunctuation;
  std::string text;
  // From 1.
  int32_t line = 0;
  // Part of a preprocessor directive.
  bool in_directive = false;

  bool Is(std::string_view word) const { return kind != Kind::kString && kind != Kind::kHeaderName && text == word; }
};

// Splits source into tokens; comments and character literals vanish, spliced lines are joined. Takes any bytes, in
// linear time, at most a million tokens.
std::vector<SourceToken> LexSource(std::string_view source);

}  // namespace cudaperf::analyzers

#endif  // CUDAPERF_ANALYZERS_SOURCE_LEXER_H_
