#ifndef CUDAPERF_SANDBOX_JUDGE_RUNNER_SESSION_H_
#define CUDAPERF_SANDBOX_JUDGE_RUNNER_SESSION_H_

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "cudaperf/worker/v1/runner.pb.h"
#include "sandbox/jail/jailed_process.h"
#include "sandbox/judge/interruption.h"
#include "sandbox/judge/worker_settings.h"
#include "sandbox/worker/frame_channel.h"

namespace cudaperf::sandbox {

// One process that holds a hostile shared object and calls it: a launcher or a reference. Destroying it kills the
// process.
class RunnerSession {
 public:
  struct Options {
    // ELF bytes.
    absl::string_view shared_object;
    // Wall time of the whole process.
    absl::Duration lifetime;
    // Command channel of a device, for a launcher; invalid for a reference.
    UniqueFd device_commands;
  };

  // How one call ended. Everything in `claim` is what hostile code says.
  struct CallEnd {
    enum class Kind { kReturned, kTimedOut, kDied } kind = Kind::kReturned;
    // kDied: a sentence's end, such as `was ended by signal 11 (Segmentation fault)`.
    std::string detail;
    worker::v1::InvokeResponse claim;
  };

  // `interruption` is not owned; outlives this.
  static absl::StatusOr<std::unique_ptr<RunnerSession>> Start(const WorkerSettings& settings, Options options,
                                                              Interruption* interruption);

  // A non-OK status is an interruption or a fault of ours. After any end but kReturned the process is gone.
  absl::StatusOr<CallEnd> Invoke(const worker::v1::InvokeRequest& request, absl::Span<const int> fds,
                                 absl::Time deadline);

  // The two halves of Invoke: the call runs between them. `fd` is readable once it has ended, and no interruption is
  // looked for then.
  absl::Status Begin(const worker::v1::InvokeRequest& request, absl::Span<const int> fds, absl::Time deadline);
  absl::StatusOr<CallEnd> End(absl::Time deadline);
  int fd() const { return channel_.fd(); }

  // True while the process can be expected to answer.
  bool IsAlive() const;

  // So far, all threads'.
  absl::Duration ProcessorTime() const { return process_->ProcessorTime(); }

 private:
  RunnerSession(std::unique_ptr<JailedProcess> process, FrameChannel channel, Interruption* interruption);

  CallEnd Died();

  std::unique_ptr<JailedProcess> process_;
  FrameChannel channel_;
  Interruption* const interruption_;
};

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_JUDGE_RUNNER_SESSION_H_
