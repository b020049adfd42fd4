#ifndef CUDAPERF_SANDBOX_TASK_CASE_VALIDATION_H_
#define CUDAPERF_SANDBOX_TASK_CASE_VALIDATION_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "cudaperf/reward/v1/task.pb.h"

namespace cudaperf::sandbox {

// Checks one case against the task's parameters, which were checked before. `path` is the case's, e.g. `cuda.cases[2]`.
absl::Status ValidateCase(const reward::v1::CudaTask& task, const reward::v1::Case& test_case,
                          int64_t memory_limit_bytes, absl::string_view path);

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_TASK_CASE_VALIDATION_H_
