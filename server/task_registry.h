#ifndef CUDAPERF_SERVER_TASK_REGISTRY_H_
#define CUDAPERF_SERVER_TASK_REGISTRY_H_

#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/synchronization/mutex.h"
#include "sandbox/worker/call_scope.h"
#include "server/registered_task.h"
#include "server/single_flight.h"
#include "server/task_admission.h"

namespace cudaperf::server {

// Keeps admitted tasks by digest and by name, the one used longest ago leaving first when full. A name stands for the
// task registered last under it. Thread-safe.
class TaskRegistry {
 public:
  using Entry = std::shared_ptr<const RegisteredTask>;

  // Not owned; outlives this.
  TaskRegistry(TaskAdmission* admission, int64_t task_limit);

  // Null when there is none.
  Entry Find(absl::string_view name_or_digest);

  // Admits the task unless it is registered; at the same time only once. Its name stands for it from now on. See
  // TaskAdmission for errors.
  absl::StatusOr<Entry> Register(const reward::v1::Task& task, const sandbox::CallScope& scope);

  // The same for a task that came along with a candidate: names stay what they are.
  absl::StatusOr<Entry> Adopt(const reward::v1::Task& task, const sandbox::CallScope& scope);

  // Admits the task and keeps nothing.
  absl::StatusOr<Entry> Check(const reward::v1::Task& task, const sandbox::CallScope& scope);

  struct Listed {
    std::string name;
    Entry task;
  };
  // By name; tasks without one last, by digest.
  std::vector<Listed> List() const;

 private:
  struct Slot {
    Entry task;
    std::list<std::string>::iterator age;
  };

  Entry Touch(absl::string_view task_id) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Keep(const Entry& task) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Drop(const std::string& task_id) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  TaskAdmission* const admission_;
  const int64_t task_limit_;
  SingleFlight<Entry> flights_;
  mutable absl::Mutex mutex_;
  std::map<std::string, Slot, std::less<>> tasks_ ABSL_GUARDED_BY(mutex_);
  // Name to digest.
  std::map<std::string, std::string, std::less<>> names_ ABSL_GUARDED_BY(mutex_);
  // Digests, used last first.
  std::list<std::string> ages_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace cudaperf::server

#endif  // CUDAPERF_SERVER_TASK_REGISTRY_H_
