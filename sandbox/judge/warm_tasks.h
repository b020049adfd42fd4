#ifndef CUDAPERF_SANDBOX_JUDGE_WARM_TASKS_H_
#define CUDAPERF_SANDBOX_JUDGE_WARM_TASKS_H_

#include <list>
#include <memory>
#include <string>

#include "absl/time/time.h"
#include "cudaperf/reward/v1/task.pb.h"
#include "sandbox/judge/interruption.h"
#include "sandbox/judge/retirement.h"
#include "sandbox/judge/warm_task.h"
#include "sandbox/judge/worker_settings.h"

namespace cudaperf::sandbox {

// The tasks that were asked for last, each with its reference process; the one asked for longest ago leaves first. Not
// thread-safe.
class WarmTasks {
 public:
  // Reference processes kept at once.
  static constexpr size_t kMostTasks = 4;

  // Not owned; outlive this.
  WarmTasks(const WorkerSettings* settings, Interruption* interruption, Retirement* retirement)
      : settings_(settings), interruption_(interruption), retirement_(retirement) {}

  // The task, now the one asked for last; valid until the next call. A call of its reference may take `call_limit`.
  WarmTask& Find(const std::string& task_id, const reward::v1::CudaTask& task, const std::string& shared_object,
                 absl::Duration call_limit);

  // Idle time: draws ahead until `daemon_fd` is readable, for the task asked for last first.
  void WorkUntilReadable(int daemon_fd);

 private:
  struct Entry {
    std::unique_ptr<WarmTask> task;
    // Owned by the task.
    JailedReference* reference;
  };

  // One piece of work for some task; false when all have nothing to do now.
  bool DrawAhead(const StopCheck& must_stop);
  // Until the daemon speaks, or a reference has ended its call or is late with it.
  void Wait(int daemon_fd) const;

  const WorkerSettings* const settings_;
  Interruption* const interruption_;
  Retirement* const retirement_;
  // The one asked for last is first.
  std::list<Entry> entries_;
};

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_JUDGE_WARM_TASKS_H_
