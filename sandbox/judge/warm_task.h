#ifndef CUDAPERF_SANDBOX_JUDGE_WARM_TASK_H_
#define CUDAPERF_SANDBOX_JUDGE_WARM_TASK_H_

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "cudaperf/reward/v1/task.pb.h"
#include "sandbox/judge/case_source.h"
#include "sandbox/judge/input_generator.h"
#include "sandbox/judge/reference.h"

namespace cudaperf::sandbox {

// What a judge keeps of a task between requests: its reference, and drawings for the first calls of the next request,
// made in idle time. Each drawing has a seed of its own and is given away once. Not thread-safe.
class WarmTask {
 public:
  WarmTask(std::string task_id, reward::v1::CudaTask task, std::unique_ptr<BackgroundReference> reference)
      : task_id_(std::move(task_id)), task_(std::move(task)), reference_(std::move(reference)) {}

  const std::string& task_id() const { return task_id_; }
  const reward::v1::CudaTask& task() const { return task_; }
  BackgroundReference& reference() { return *reference_; }

  // A drawing made ahead, if there is one; waits for one that the reference already works on. Asks for the next one.
  std::optional<FirstCall> TakeFirst(int case_index);

  // Does a piece of the work ahead, of some milliseconds at most; drops it soon after `must_stop` says so. Drawings
  // together take at most `limit_bytes`. False when there is nothing to do, or nothing until `fd` is readable or `deadline`.
  bool DrawAhead(int64_t limit_bytes, const StopCheck& must_stop);

  // The reference at work on a drawing, or -1; and when it is late.
  int fd() const { return making_.has_value() ? reference_->fd() : -1; }
  absl::Time deadline() const { return making_.has_value() ? reference_->deadline() : absl::InfiniteFuture(); }
 private:
  struct Making {
    int case_index = 0;
    CaseDraw draw;
  };

  void Ask(int case_index);
  // Draws the inputs of the case asked for first, and lets the reference begin.
  void BeginDrawing(int64_t limit_bytes, const StopCheck& must_stop);
  // Takes the reference's answer. Nothing when it failed: a request will meet the failure, and report it.
  std::optional<FirstCall> FinishDrawing();

  const std::string task_id_;
  const reward::v1::CudaTask task_;
  const std::unique_ptr<BackgroundReference> reference_;
  // Cases to draw ahead, each once.
  std::deque<int> asked_;
  // The reference computes its answer.
  std::optional<Making> making_;
  std::map<int, FirstCall> ready_;
  // With their buffers.
  int64_t ready_bytes_ = 0;
};

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_JUDGE_WARM_TASK_H_
