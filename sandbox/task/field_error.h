#ifndef CUDAPERF_SANDBOX_TASK_FIELD_ERROR_H_
#define CUDAPERF_SANDBOX_TASK_FIELD_ERROR_H_

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace cudaperf::sandbox {

// INVALID_ARGUMENT `path: message`; `message` says what is wrong and what would be right.
inline absl::Status FieldError(absl::string_view path, absl::string_view message) {
  return absl::InvalidArgumentError(absl::StrCat(path, ": ", message));
}

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_TASK_FIELD_ERROR_H_
