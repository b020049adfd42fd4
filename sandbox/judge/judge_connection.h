#ifndef CUDAPERF_SANDBOX_JUDGE_JUDGE_CONNECTION_H_
#define CUDAPERF_SANDBOX_JUDGE_JUDGE_CONNECTION_H_

#include <sys/types.h>

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "cudaperf/worker/v1/judge.pb.h"
#include "sandbox/worker/call_scope.h"
#include "sandbox/worker/frame_channel.h"
#include "sandbox/worker/unique_fd.h"

namespace cudaperf::sandbox {

// A judge's process, and the conversation with it: starts it, starts it again when it died. A death turns the call it
// served into UNAVAILABLE. A cancelled or late call is cancelled in the judge too; a judge that does not answer that
// within 500 ms is killed with everything below it. Thread-safe; the judge serves one call at a time, the others wait
// for their turn. Destroying it ends the judge and its workers.
class JudgeConnection {
 public:
  struct Options {
    // Absolute path first.
    std::vector<std::string> argv;
    // The whole environment: nothing is inherited.
    std::vector<std::string> environment;
  };

  // Starts the process and waits until it is ready. The judge's own reason when it cannot serve.
  static absl::StatusOr<std::unique_ptr<JudgeConnection>> Start(Options options);

  ~JudgeConnection();

  // What the judge said when it was first ready.
  const worker::v1::JudgeReady& ready() const { return ready_; }

  // Waits for its turn, then converses. Fills in the request's id.
  absl::StatusOr<worker::v1::JudgeResponse> Call(worker::v1::JudgeRequest& request, const CallScope& scope);

  // Judges started over this object's life; the first counts.
  int64_t start_count() const;

 private:
  explicit JudgeConnection(Options options);

  absl::Status Spawn();
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
  // As of the first start.
  worker::v1::JudgeReady ready_;
};

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_JUDGE_JUDGE_CONNECTION_H_
