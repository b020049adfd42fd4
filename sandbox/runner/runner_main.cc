// cudaperf-runner PATH: loads the shared object at PATH and calls its `cudaperf_invoke` for every request on
// descriptor 3. Everything in this process is hostile from the moment the object is loaded: what it answers is a claim,
// and how it dies is told by its supervisor. So it keeps no secret, catches no signal, and leaves by _exit once the
// channel ends.
#include <unistd.h>

#include <cstdio>
#include <utility>

#include "cudaperf/worker/v1/runner.pb.h"
#include "sandbox/runner/shared_object.h"
#include "sandbox/worker/frame_channel.h"

namespace {

constexpr int kChannelFd = 3;
constexpr int kUsage = 2;

}  // namespace

int main(int argument_count, char** arguments) {
  using cudaperf::sandbox::Frame;
  using cudaperf::worker::v1::InvokeRequest;
  if (argument_count != 2) {
    std::fprintf(stderr, "usage: cudaperf-runner SHARED_OBJECT, with a channel as descriptor 3\n");
    return kUsage;
  }
  cudaperf::sandbox::FrameChannel channel{cudaperf::sandbox::UniqueFd(kChannelFd)};
  cudaperf::sandbox::SharedObject object(arguments[1]);
  while (true) {
    absl::StatusOr<Frame> frame = channel.Receive();
    InvokeRequest request;
    if (!frame.ok() || !request.ParseFromString(frame->bytes)) _exit(0);
    if (!channel.Send(object.Invoke(request, frame->fds)).ok()) _exit(0);
  }
}
