#include "sandbox/device/device_loop.h"

#include <poll.h>

#include <cerrno>
#include <utility>

#include "absl/strings/str_cat.h"
#include "cudaperf/worker/v1/device.pb.h"

namespace cudaperf::sandbox {

using worker::v1::DeviceRequest;

DeviceLoop::DeviceLoop(UniqueFd control, UniqueFd command)
    : control_(std::move(control)), command_(std::move(command), kMaxCommandBytes) {}

absl::Status DeviceLoop::Run() {
  while (true) {
    // A negative descriptor is one that poll leaves out.
    pollfd entries[2] = {{.fd = control_.fd(), .events = POLLIN, .revents = 0},
                         {.fd = server_.takes_commands() ? command_.fd() : -1, .events = POLLIN, .revents = 0}};
    if (poll(entries, 2, -1) < 0) {
      if (errno == EINTR) continue;
      return absl::ErrnoToStatus(errno, "poll");
    }
    if (entries[0].revents != 0) {
      absl::Status served = ServeControl();
      if (absl::IsUnavailable(served)) return absl::OkStatus();
      if (!served.ok()) return served;
    } else if (entries[1].revents != 0) {
      ServeCommand();
    }
  }
}

absl::Status DeviceLoop::ServeControl() {
  absl::StatusOr<Frame> frame = control_.Receive();
  if (!frame.ok()) return frame.status();
  DeviceRequest request;
  if (!request.ParseFromString(frame->bytes)) return absl::DataLossError("control request does not parse");
  return control_.Send(server_.Handle(DeviceServer::Channel::kControl, request, std::move(frame->fds)));
}

void DeviceLoop::ServeCommand() {
  DeviceRequest request;
  absl::StatusOr<Frame> frame = command_.Receive(absl::Now() + kCommandStall);
  absl::Status served = frame.status();
  if (served.ok() && !request.ParseFromString(frame->bytes)) served = absl::DataLossError("does not parse");
  if (served.ok()) {
    served =
        command_.Send(server_.Handle(DeviceServer::Channel::kCommand, request, {}), {}, absl::Now() + kCommandStall);
  }
  if (served.ok()) return;
  command_.ReleaseSocket();
  // Its end is no offence: the host process may have finished.
  if (!absl::IsUnavailable(served)) server_.DropCommands(absl::StrCat("broken command channel: ", served.message()));
}

}  // namespace cudaperf::sandbox
