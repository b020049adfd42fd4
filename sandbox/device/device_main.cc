// cudaperf-device: the emulated GPU as a process. Descriptor 3 is the control channel, descriptor 4 the command
// channel, which may be absent. Ends when the control channel does.
#include <fcntl.h>

#include <cstdio>
#include <string>
#include <utility>

#include "sandbox/device/device_loop.h"
#include "sandbox/worker/unique_fd.h"

namespace {
constexpr int kControlFd = 3;
constexpr int kCommandFd = 4;
}  // namespace

int main() {
  using cudaperf::sandbox::UniqueFd;
  if (fcntl(kControlFd, F_GETFD) < 0) {
    std::fprintf(stderr, "cudaperf-device: descriptor 3 is not a channel\n");
    return 2;
  }
  UniqueFd command(fcntl(kCommandFd, F_GETFD) < 0 ? -1 : kCommandFd);
  absl::Status end = cudaperf::sandbox::DeviceLoop(UniqueFd(kControlFd), std::move(command)).Run();
  if (end.ok()) return 0;
  std::fprintf(stderr, "cudaperf-device: %s\n", std::string(end.message()).c_str());
  return 1;
}
