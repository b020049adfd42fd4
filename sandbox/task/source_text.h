#ifndef CUDAPERF_SANDBOX_TASK_SOURCE_TEXT_H_
#define CUDAPERF_SANDBOX_TASK_SOURCE_TEXT_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace cudaperf::sandbox {

// The code of a C or CUDA source: comments, and the insides of string and character literals, are blanked. Same length
// and lines as `source`.
std::string WithoutComments(absl::string_view source);

// Splits at commas outside parentheses, brackets and braces; pieces are trimmed. Empty text has no pieces.
std::vector<absl::string_view> SplitArguments(absl::string_view text);

// Position of the bracket that closes the one at `open`, or npos.
size_t MatchingBracket(absl::string_view text, size_t open);

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_TASK_SOURCE_TEXT_H_
