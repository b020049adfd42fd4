#ifndef CUDAPERF_SANDBOX_TASK_TASK_VALIDATION_H_
#define CUDAPERF_SANDBOX_TASK_TASK_VALIDATION_H_

#include <cstdint>

#include "absl/status/status.h"
#include "cudaperf/reward/v1/task.pb.h"

namespace cudaperf::sandbox {

// Checks everything about a task that needs no compiler: names, expressions, generators, tolerances, sizes, and that no
// case needs more than `case_memory_limit_bytes` for its buffers. INVALID_ARGUMENT names the field's path and the fix,
// e.g. `cuda.parameters[2].buffer.extent: unknown size m; case tiny has n`.
absl::Status ValidateTask(const reward::v1::Task& task, int64_t case_memory_limit_bytes);

// Checks a candidate's source (not empty, within `max_source_bytes`, UTF-8, no NUL bytes) and that the expressions of
// its launches and scratch buffers parse. INVALID_ARGUMENT with `candidate.` and the field's path.
absl::Status ValidateCandidate(const reward::v1::Candidate& candidate, int64_t max_source_bytes);

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_TASK_TASK_VALIDATION_H_
