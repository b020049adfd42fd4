#include "sandbox/compile/host_builder.h"

#include <poll.h>
#include <signal.h>

#include <algorithm>
#include <cerrno>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "sandbox/compile/compile_time.h"
#include "sandbox/compile/stop_signal.h"

namespace cudaperf::sandbox {
namespace {

using worker::v1::CompileRequest;
using worker::v1::CompileResponse;

// OK when the worker has said something or is gone; else why the wait is over.
absl::Status AwaitAnswer(int channel_fd, const StopSignal& stop, absl::Time deadline) {
  while (true) {
    pollfd entries[] = {{channel_fd, POLLIN, 0}, {stop.fd(), POLLIN, 0}};
    const int64_t wait = deadline == absl::InfiniteFuture()
                             ? -1
                             : std::clamp<int64_t>(absl::ToInt64Milliseconds(deadline - absl::Now()) + 1, 0, 1 << 30);
    const int ready = poll(entries, 2, static_cast<int>(wait));
    if (ready < 0 && errno != EINTR) return absl::ErrnoToStatus(errno, "poll");
    if (ready > 0 && entries[1].revents != 0) return absl::CancelledError("compilation cancelled");
    if (ready > 0) return absl::OkStatus();
    if (absl::Now() >= deadline) return absl::DeadlineExceededError("deadline passed while compiling");
  }
}

CompileResponse Ended(worker::v1::CompileStatus status, std::string detail) {
  CompileResponse response;
  response.set_status(status);
  response.set_detail(std::move(detail));
  return response;
}

// What a jail's end says about the source that was compiled in it.
absl::StatusOr<CompileResponse> FromEnd(const ProcessEnd& end, const JailLimits& limits) {
  switch (end.cause) {
    case ProcessEnd::Cause::kCpuTime:
      return Ended(worker::v1::COMPILE_STATUS_TIMED_OUT, DescribeCpuTimeOut(*limits.cpu_time));
    case ProcessEnd::Cause::kWallTime:
      return Ended(worker::v1::COMPILE_STATUS_TIMED_OUT, DescribeWallTimeOut(limits.wall_time));
    case ProcessEnd::Cause::kMemory:
      return Ended(worker::v1::COMPILE_STATUS_LIMIT_EXCEEDED, "the compiler took too much memory");
    case ProcessEnd::Cause::kSignaled:
      if (end.signal == SIGKILL) return absl::UnavailableError("the compiler was killed from outside; try again");
      return Ended(worker::v1::COMPILE_STATUS_CRASHED, absl::StrCat("the compiler was ended by signal ", end.signal));
    default:
      return absl::InternalError(absl::StrCat("the compile worker ended with exit code ", end.exit_code));
  }
}

}  // namespace

absl::StatusOr<CompileResponse> HostBuilder::Compile(const CompileRequest& request, const CallScope& scope) {
  JailLimits limits;
  limits.cpu_time = CpuTimeLimit(request);
  limits.wall_time = WallTimeLimit(request);
  limits.memory_bytes = options_.memory_bytes;
  absl::StatusOr<CompileJail> jail =
      StartCompileJail(options_, {"build", options_.toolkit_root}, limits, JailOptions::Scratch::kPrivate);
  if (!jail.ok()) return jail.status();
  const absl::Time overdue = absl::Now() + limits.wall_time + absl::Seconds(5);
  absl::Status sent = jail->channel.Send(request, {}, std::min(scope.deadline, overdue));
  const StopSignal stop(scope.stop);
  if (absl::Status waited = AwaitAnswer(jail->channel.fd(), stop, scope.deadline); !waited.ok()) {
    jail->process->Kill();
    return waited;
  }
  absl::StatusOr<CompileResponse> response =
      jail->channel.ReceiveMessage<CompileResponse>(std::min(scope.deadline, overdue));
  if (response.ok()) return response;
  const absl::StatusOr<ProcessEnd> end = jail->process->Wait(std::min(scope.deadline, overdue));
  if (end.ok()) return FromEnd(*end, limits);
  jail->process->Kill();
  if (absl::Now() >= scope.deadline) return absl::DeadlineExceededError("deadline passed while compiling");
  return absl::InternalError(absl::StrCat("compile worker: ", response.status().ToString(), "; ", sent.ToString()));
}

}  // namespace cudaperf::sandbox
