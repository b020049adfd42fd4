#ifndef CUDAPERF_SANDBOX_JUDGE_INTERRUPTION_H_
#define CUDAPERF_SANDBOX_JUDGE_INTERRUPTION_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "sandbox/worker/frame_channel.h"

namespace cudaperf::sandbox {

// Lets a single-threaded judge hear its daemon while it waits for a worker: waits look at both channels. Once
// interrupted, it stays so until the next request begins. Not thread-safe.
class Interruption {
 public:
  // `daemon` is not owned; outlives this.
  explicit Interruption(FrameChannel* daemon) : daemon_(daemon) {}

  void BeginRequest(int64_t id);

  // OK when `fd` is readable or closed. CANCELLED when the daemon cancels the request, UNAVAILABLE when the daemon is
  // gone, DEADLINE_EXCEEDED at the deadline.
  absl::Status AwaitReadable(int fd, absl::Time deadline);

  // The same without waiting for anything: OK or the interruption.
  absl::Status Check();

 private:
  // Reads what the daemon sent.
  absl::Status Listen();

  FrameChannel* const daemon_;
  int64_t id_ = 0;
  absl::Status state_;
};

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_JUDGE_INTERRUPTION_H_
