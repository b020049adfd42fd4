#ifndef CUDAPERF_ANALYZERS_INLINE_ASSEMBLY_H_
#define CUDAPERF_ANALYZERS_INLINE_ASSEMBLY_H_

#include <cstdint>
#include <string>
#include <vector>

#include "analyzers/source_lexer.h"

namespace cudaperf::analyzers {

// The template of one `asm` statement, as far as it stands in string literals.
struct InlineAssembly {
  std::string text;
  int32_t line = 0;
};

// All `asm` statements of a source.
std::vector<InlineAssembly> FindInlineAssembly(const std::vector<SourceToken>& tokens);

// The directive by which the text reaches beyond its own statement (defines symbols, switches sections, reads files),
// such as
// `.entry`; empty when there is none. Instructions such as `ld.global` and local `.reg` declarations are none.
std::string OutreachingDirective(const std::string& text);

}  // namespace cudaperf::analyzers

#endif  // CUDAPERF_ANALYZERS_INLINE_ASSEMBLY_H_
