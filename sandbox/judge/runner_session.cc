#include "sandbox/judge/runner_session.h"

#include <poll.h>

#include <utility>

#include "absl/strings/str_cat.h"
#include "sandbox/judge/shared_buffer.h"

namespace cudaperf::sandbox {
namespace {

constexpr int kChannelFd = 3;
constexpr int kDeviceFd = 4;
constexpr int kObjectFd = 5;
// An answer is a short text.
constexpr int64_t kMaxAnswerBytes = int64_t{64} << 10;
// From its first byte to its last.
constexpr absl::Duration kFrameLimit = absl::Seconds(1);
// How long a process whose channel closed may take to be reaped.
constexpr absl::Duration kEndLimit = absl::Seconds(1);

bool IsReadable(int fd) {
  pollfd entry{.fd = fd, .events = POLLIN, .revents = 0};
  return poll(&entry, 1, 0) > 0;
}

}  // namespace

RunnerSession::RunnerSession(std::unique_ptr<JailedProcess> process, FrameChannel channel, Interruption* interruption)
    : process_(std::move(process)), channel_(std::move(channel)), interruption_(interruption) {}

absl::StatusOr<std::unique_ptr<RunnerSession>> RunnerSession::Start(const WorkerSettings& settings, Options options,
                                                                    Interruption* interruption) {
  absl::StatusOr<std::pair<FrameChannel, FrameChannel>> channel = FrameChannel::CreatePair();
  if (!channel.ok()) return channel.status();
  const absl::StatusOr<UniqueFd> object = SealedContent(options.shared_object);
  if (!object.ok()) return object.status();
  JailOptions jail = WorkerJail(settings, "cudaperf-runner");
  jail.argv.push_back(absl::StrCat("/proc/self/fd/", kObjectFd));
  jail.descriptors = {{channel->second.fd(), kChannelFd}, {object->get(), kObjectFd}};
  jail.limits.wall_time = options.lifetime;
  if (options.device_commands.valid()) {
    jail.descriptors.emplace_back(options.device_commands.get(), kDeviceFd);
    jail.readable_paths.push_back(settings.runtime_directory);
    jail.environment = {absl::StrCat("LD_LIBRARY_PATH=", settings.runtime_directory),
                        absl::StrCat("CUDAPERF_DEVICE_FD=", kDeviceFd)};
  }
  absl::StatusOr<std::unique_ptr<JailedProcess>> process = JailedProcess::Start(jail);
  if (!process.ok()) return process.status();
  return std::unique_ptr<RunnerSession>(new RunnerSession(
      *std::move(process), FrameChannel(channel->first.ReleaseSocket(), kMaxAnswerBytes), interruption));
}

absl::StatusOr<RunnerSession::CallEnd> RunnerSession::Invoke(const worker::v1::InvokeRequest& request,
                                                             absl::Span<const int> fds, absl::Time deadline) {
  if (absl::Status status = Begin(request, fds, deadline); !status.ok()) return status;
  return End(deadline);
}

absl::Status RunnerSession::Begin(const worker::v1::InvokeRequest& request, absl::Span<const int> fds,
                                  absl::Time deadline) {
  const absl::Status sent = channel_.Send(request, fds, deadline);
  // A process that is gone, or takes nothing, shows in End.
  return absl::IsUnavailable(sent) || absl::IsDeadlineExceeded(sent) ? absl::OkStatus() : sent;
}

absl::StatusOr<RunnerSession::CallEnd> RunnerSession::End(absl::Time deadline) {
  absl::Status status;
  if (!IsReadable(channel_.fd())) status = interruption_->AwaitReadable(channel_.fd(), deadline);
  if (absl::IsDeadlineExceeded(status)) {
    process_->Kill();
    return CallEnd{.kind = CallEnd::Kind::kTimedOut};
  }
  if (!status.ok()) return status;
  auto claim = channel_.ReceiveMessage<worker::v1::InvokeResponse>(absl::Now() + kFrameLimit);
  if (claim.ok()) return CallEnd{.kind = CallEnd::Kind::kReturned, .claim = *std::move(claim)};
  if (absl::IsUnavailable(claim.status())) return Died();
  // Half a frame, or no frame at all: its own code sends neither.
  process_->Kill();
  return CallEnd{.kind = CallEnd::Kind::kDied, .detail = "sent something else than an answer"};
}

bool RunnerSession::IsAlive() const { return !IsReadable(process_->end_fd()); }

RunnerSession::CallEnd RunnerSession::Died() {
  absl::StatusOr<ProcessEnd> end = process_->Wait(absl::Now() + kEndLimit);
  if (!end.ok()) {
    process_->Kill();
    return CallEnd{.kind = CallEnd::Kind::kDied, .detail = "closed its channel without an answer"};
  }
  if (end->cause == ProcessEnd::Cause::kWallTime) return CallEnd{.kind = CallEnd::Kind::kTimedOut};
  return CallEnd{.kind = CallEnd::Kind::kDied, .detail = DescribeEnd(*end)};
}

}  // namespace cudaperf::sandbox
