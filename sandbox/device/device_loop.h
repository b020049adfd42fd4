#ifndef CUDAPERF_SANDBOX_DEVICE_DEVICE_LOOP_H_
#define CUDAPERF_SANDBOX_DEVICE_DEVICE_LOOP_H_

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "sandbox/device/device_server.h"
#include "sandbox/worker/frame_channel.h"
#include "sandbox/worker/unique_fd.h"

namespace cudaperf::sandbox {

// Serves a device's two channels, one request at a time, the control channel first. A command channel that stalls half
// way through a frame, breaks the format or does not read its answers is closed; the control channel is trusted to do
// neither.
class DeviceLoop {
 public:
  // How long a frame of the command channel may take from its first to its last byte.
  static constexpr absl::Duration kCommandStall = absl::Seconds(2);
  static constexpr int64_t kMaxCommandBytes = int64_t{72} << 20;

  // `command` may be invalid: there is no command channel.
  DeviceLoop(UniqueFd control, UniqueFd command);

  // Returns OK when the control channel's other end is closed.
  absl::Status Run();

 private:
  absl::Status ServeControl();
  void ServeCommand();

  DeviceServer server_;
  FrameChannel control_;
  FrameChannel command_;
};

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_DEVICE_DEVICE_LOOP_H_
