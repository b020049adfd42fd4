#ifndef CUDAPERF_SANDBOX_TASK_IDENTIFIER_H_
#define CUDAPERF_SANDBOX_TASK_IDENTIFIER_H_

#include "absl/strings/string_view.h"

namespace cudaperf::sandbox {

// True for a name that C, C++ and CUDA accept for a function or a parameter: not a keyword, at most 64 characters.
bool IsIdentifier(absl::string_view name);

// True for well-formed UTF-8 (no overlong forms, no surrogates).
bool IsUtf8(absl::string_view text);

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_TASK_IDENTIFIER_H_
