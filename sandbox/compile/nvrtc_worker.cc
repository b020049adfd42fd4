#include "sandbox/compile/nvrtc_worker.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <stop_token>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "sandbox/compile/compile_time.h"

namespace cudaperf::sandbox {
namespace {

using worker::v1::CompileRequest;
using worker::v1::CompileResponse;

constexpr absl::Duration kWarmUpLimit = absl::Seconds(60);
constexpr absl::Duration kSendLimit = absl::Seconds(5);
// The server ends a compilation at its time limit; past this it is the server that does not answer.
constexpr absl::Duration kAnswerGrace = absl::Seconds(10);
// Restarted now and then, so that its limits are finite.
constexpr absl::Duration kLifetime = absl::Hours(24 * 7);

// Waits until every holder of the other end has closed it: then the child is dead and reaped.
void AwaitHangUp(FrameChannel& channel) {
  const absl::Time give_up = absl::Now() + absl::Seconds(5);
  while (channel.Receive(give_up).ok()) {
  }
}

}  // namespace

absl::StatusOr<std::unique_ptr<NvrtcWorker>> NvrtcWorker::Start(const CompileJailOptions& options) {
  JailLimits limits;
  const int64_t at_once = std::max<int64_t>(2, sysconf(_SC_NPROCESSORS_ONLN)) + 1;
  limits.wall_time = kLifetime;
  limits.memory_bytes = options.memory_bytes * at_once;
  limits.process_count = 256;
  absl::StatusOr<CompileJail> jail = StartCompileJail(
      options, {"serve", options.toolkit_root, options.architecture, absl::StrCat(options.memory_bytes)}, limits,
      JailOptions::Scratch::kNone);
  if (!jail.ok()) return jail.status();
  absl::StatusOr<CompileResponse> ready = jail->channel.ReceiveMessage<CompileResponse>(absl::Now() + kWarmUpLimit);
  if (!ready.ok())
    return absl::InternalError(absl::StrCat("NVRTC's server did not start: ", ready.status().ToString()));
  if (!ready->detail().empty()) return absl::FailedPreconditionError(ready->detail());
  return std::unique_ptr<NvrtcWorker>(new NvrtcWorker(*std::move(jail)));
}

bool NvrtcWorker::IsAlive() const {
  pollfd entry{.fd = jail_.process->end_fd(), .events = POLLIN, .revents = 0};
  return poll(&entry, 1, 0) == 0;
}

absl::Status NvrtcWorker::Submit(const CompileRequest& request, int answer_fd) {
  std::lock_guard lock(mutex_);
  return jail_.channel.Send(request, {answer_fd}, absl::Now() + kSendLimit);
}

absl::StatusOr<CompileResponse> NvrtcWorker::Compile(const CompileRequest& request, const CallScope& scope) {
  absl::StatusOr<std::pair<FrameChannel, FrameChannel>> ends = FrameChannel::CreatePair();
  if (!ends.ok()) return ends.status();
  FrameChannel& answer = ends->first;
  const absl::Time deadline = std::min(scope.deadline, absl::Now() + WallTimeLimit(request) + kAnswerGrace);
  if (absl::Status sent = Submit(request, ends->second.fd()); !sent.ok()) return absl::UnavailableError(sent.message());
  ends->second.ReleaseSocket();
  // Our half closing is what the server kills the child for.
  const int fd = answer.fd();
  std::stop_callback on_stop(scope.stop, [fd] { shutdown(fd, SHUT_WR); });
  absl::StatusOr<CompileResponse> response = answer.ReceiveMessage<CompileResponse>(deadline);
  if (response.ok()) return response;
  shutdown(fd, SHUT_WR);
  AwaitHangUp(answer);
  if (scope.stop.stop_requested()) return absl::CancelledError("compilation cancelled");
  if (absl::Now() >= scope.deadline) return absl::DeadlineExceededError("deadline passed while compiling");
  return absl::UnavailableError(absl::StrCat("NVRTC's server: ", std::string(response.status().message())));
}

}  // namespace cudaperf::sandbox
