#include "sandbox/judge/device_session.h"

#include <poll.h>

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"

namespace cudaperf::sandbox {
namespace {

using worker::v1::DeviceRequest;
using worker::v1::DeviceResponse;

constexpr int kControlFd = 3;
constexpr int kCommandFd = 4;
// Everything but launches: nothing of the candidate runs, so this is never charged to it.
constexpr absl::Duration kServiceLimit = absl::Seconds(20);
// A spare one may wait this long for its program; the judge bounds every call by itself.
constexpr absl::Duration kLifetime = absl::Hours(2);
// How long a process whose channel closed may take to be reaped.
constexpr absl::Duration kEndLimit = absl::Seconds(2);

absl::Time Soon() { return absl::Now() + kServiceLimit; }

}  // namespace

DeviceSession::DeviceSession(std::unique_ptr<JailedProcess> process, FrameChannel control, UniqueFd command_end)
    : process_(std::move(process)), control_(std::move(control)), command_end_(std::move(command_end)) {}

absl::StatusOr<std::unique_ptr<DeviceSession>> DeviceSession::Start(const WorkerSettings& settings) {
  absl::StatusOr<std::pair<FrameChannel, FrameChannel>> control = FrameChannel::CreatePair();
  if (!control.ok()) return control.status();
  absl::StatusOr<std::pair<FrameChannel, FrameChannel>> command = FrameChannel::CreatePair();
  if (!command.ok()) return command.status();
  JailOptions options = WorkerJail(settings, "cudaperf-device");
  options.descriptors = {{control->second.fd(), kControlFd}, {command->second.fd(), kCommandFd}};
  options.limits.wall_time = kLifetime;
  absl::StatusOr<std::unique_ptr<JailedProcess>> process = JailedProcess::Start(options);
  if (!process.ok()) return process.status();
  return std::unique_ptr<DeviceSession>(
      new DeviceSession(*std::move(process), std::move(control->first), command->first.ReleaseSocket()));
}

bool DeviceSession::IsAlive() const {
  if (end_.has_value()) return false;
  pollfd entry{.fd = process_->end_fd(), .events = POLLIN, .revents = 0};
  return poll(&entry, 1, 0) == 0;
}

absl::StatusOr<DeviceResponse> DeviceSession::Call(const DeviceRequest& request, absl::Time deadline, int fd) {
  const auto fds = fd < 0 ? absl::Span<const int>() : absl::MakeConstSpan(&fd, 1);
  const absl::Status sent = control_.Send(request, fds, deadline);
  if (absl::IsUnavailable(sent)) return absl::AbortedError("the emulated device died");
  if (!sent.ok()) return sent;
  if (absl::Status ready = interruption_->AwaitReadable(control_.fd(), deadline); !ready.ok()) return ready;
  auto response = control_.ReceiveMessage<DeviceResponse>(deadline);
  if (absl::IsDeadlineExceeded(response.status())) return response.status();
  if (!response.ok()) return absl::AbortedError(absl::StrCat("the emulated device: ", response.status().message()));
  if (!response->refusal().empty()) {
    return absl::InternalError(absl::StrCat("the emulated device refused: ", response->refusal()));
  }
  return response;
}

absl::Status DeviceSession::Configure(const worker::v1::ConfigureRequest& configuration) {
  DeviceRequest request;
  *request.mutable_configure() = configuration;
  return Call(request, Soon()).status();
}

absl::StatusOr<uint64_t> DeviceSession::Attach(const worker::v1::AttachBufferRequest& buffer, int memory) {
  DeviceRequest request;
  *request.mutable_attach_buffer() = buffer;
  const absl::StatusOr<DeviceResponse> response = Call(request, Soon(), memory);
  if (!response.ok()) return response.status();
  return response->attach_buffer().address();
}

absl::Status DeviceSession::DetachAll() {
  DeviceRequest request;
  request.mutable_detach_buffer();
  return Call(request, Soon()).status();
}

absl::StatusOr<worker::v1::LoadModuleResponse> DeviceSession::Load(std::string ptx) {
  DeviceRequest request;
  request.mutable_load_module()->set_ptx(std::move(ptx));
  absl::StatusOr<DeviceResponse> response = Call(request, Soon());
  if (!response.ok()) return response.status();
  return std::move(*response->mutable_load_module());
}

absl::StatusOr<worker::v1::AllocateResponse> DeviceSession::Allocate(int64_t size_bytes) {
  DeviceRequest request;
  request.mutable_allocate()->set_size_bytes(size_bytes);
  const absl::StatusOr<DeviceResponse> response = Call(request, Soon());
  if (!response.ok()) return response.status();
  return response->allocate();
}

absl::StatusOr<worker::v1::LaunchResponse> DeviceSession::Launch(const worker::v1::LaunchRequest& launch,
                                                                 absl::Time deadline) {
  DeviceRequest request;
  *request.mutable_launch() = launch;
  const absl::StatusOr<DeviceResponse> response = Call(request, deadline);
  if (!response.ok()) return response.status();
  return response->launch();
}

absl::StatusOr<worker::v1::CollectResponse> DeviceSession::Collect(absl::Time deadline) {
  DeviceRequest request;
  request.mutable_collect();
  absl::StatusOr<DeviceResponse> response = Call(request, deadline);
  if (!response.ok()) return response.status();
  return std::move(*response->mutable_collect());
}

absl::Status DeviceSession::Reset(int64_t warp_schedule) {
  DeviceRequest request;
  request.mutable_collect()->set_reset(true);
  request.mutable_collect()->set_warp_schedule(warp_schedule);
  return Call(request, Soon()).status();
}

ProcessEnd DeviceSession::End() {
  if (!end_.has_value()) {
    const absl::StatusOr<ProcessEnd> end = process_->Wait(absl::Now() + (IsAlive() ? absl::ZeroDuration() : kEndLimit));
    end_ = end.ok() ? *end : process_->Kill();
  }
  return *end_;
}

}  // namespace cudaperf::sandbox
