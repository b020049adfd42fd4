#ifndef CUDAPERF_SANDBOX_TASK_EXCERPT_H_
#define CUDAPERF_SANDBOX_TASK_EXCERPT_H_

#include <cstddef>
#include <string>

#include "absl/strings/string_view.h"

namespace cudaperf::sandbox {

// The beginning of `text`, at most `limit_bytes` of it and no half of a UTF-8 character, with `...` when something is left
// out. For names and formulas of a candidate in sentences: they may be as long as its source.
std::string Excerpt(absl::string_view text, size_t limit_bytes = 120);

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_TASK_EXCERPT_H_
