#ifndef CUDAPERF_SANDBOX_JUDGE_JUDGE_PROCESS_H_
#define CUDAPERF_SANDBOX_JUDGE_JUDGE_PROCESS_H_

#include <sys/types.h>

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "cudaperf/config/v1/server_config.pb.h"
#include "cudaperf/reward/v1/evaluation.pb.h"
#include "sandbox/judge/judge.h"
#include "sandbox/worker/frame_channel.h"
#include "sandbox/worker/unique_fd.h"

namespace cudaperf::sandbox {

// A judge in a process of its own: starts it, talks to it, starts it again when it died. A death turns the call it
// served into UNAVAILABLE. A cancelled or late call is cancelled in the judge too; a judge that does not answer that
// within 250 ms is killed with everything below it. Thread-safe; the judge serves one call at a time, the others wait
// for their turn. Destroying it ends the judge and its workers.
class JudgeProcess : public Judge {
 public:
  struct Options {
    // Folder of the `cudaperf-*` binaries.
    std::string worker_directory;
    std::string toolkit_root;
    reward::v1::SandboxLevel level = reward::v1::SANDBOX_LEVEL_FULL;
    config::v1::Limits limits;
    // e.g. `sm_90`.
    std::string architecture = "sm_90";
    // Cores that the emulated device may use.
    int thread_count = 1;
  };

  // Starts the process and waits until it is ready.
  static absl::StatusOr<std::unique_ptr<JudgeProcess>> Start(Options options);

  ~JudgeProcess() override;

  absl::StatusOr<worker::v1::ExamineResponse> Examine(worker::v1::ExamineRequest request,
                                                      const CallScope& scope) override;
  absl::StatusOr<worker::v1::AdmitResponse> Admit(worker::v1::AdmitRequest request, const CallScope& scope) override;

  // Judges started over this object's life; the first counts.
  int64_t start_count() const;

 private:
  explicit JudgeProcess(Options options);

  absl::Status Spawn();
  // Waits for its turn, then converses.
  absl::StatusOr<worker::v1::JudgeResponse> Call(worker::v1::JudgeRequest& request, const CallScope& scope);
  absl::StatusOr<worker::v1::JudgeResponse> Converse(const worker::v1::JudgeRequest& request, int64_t id,
                                                     const CallScope& scope);
  absl::StatusOr<worker::v1::JudgeResponse> AwaitResponse(int64_t id, const CallScope& scope);
  // Returns `reason` once nothing of the request runs.
  absl::Status Cancel(int64_t id, absl::Status reason);
  void KillTree();
  void EndGracefully();
  bool IsAlive() const;

  const Options options_;
  mutable std::mutex mutex_;
  std::condition_variable_any turn_;
  // Guarded by mutex_.
  bool busy_ = false;
  int64_t next_id_ = 1;
  int64_t start_count_ = 0;
  // Of whoever has the turn.
  pid_t pid_ = -1;
  UniqueFd pidfd_;
  std::optional<FrameChannel> channel_;
};

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_JUDGE_JUDGE_PROCESS_H_
