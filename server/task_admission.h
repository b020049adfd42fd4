#ifndef CUDAPERF_SERVER_TASK_ADMISSION_H_
#define CUDAPERF_SERVER_TASK_ADMISSION_H_

#include "absl/status/statusor.h"
#include "cudaperf/reward/v1/task.pb.h"
#include "sandbox/worker/call_scope.h"
#include "server/registered_task.h"

namespace cudaperf::server {

// Decides whether a task may be used, and prepares it. Thread-safe.
class TaskAdmission {
 public:
  virtual ~TaskAdmission() = default;

  // INVALID_ARGUMENT for a malformed task, FAILED_PRECONDITION with the reason for one that is refused.
  virtual absl::StatusOr<RegisteredTask> Admit(const reward::v1::Task& task, const sandbox::CallScope& scope) = 0;
};

}  // namespace cudaperf::server

#endif  // CUDAPERF_SERVER_TASK_ADMISSION_H_
