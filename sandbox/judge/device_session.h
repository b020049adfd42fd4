#ifndef CUDAPERF_SANDBOX_JUDGE_DEVICE_SESSION_H_
#define CUDAPERF_SANDBOX_JUDGE_DEVICE_SESSION_H_

#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "cudaperf/worker/v1/device.pb.h"
#include "sandbox/jail/jailed_process.h"
#include "sandbox/judge/interruption.h"
#include "sandbox/judge/worker_settings.h"
#include "sandbox/worker/frame_channel.h"

namespace cudaperf::sandbox {

// One emulated device, a process of its own, seen from its control channel. Destroying it kills the process. Calls
// return ABORTED when the process died or broke the protocol, DEADLINE_EXCEEDED when it was late, and what Interruption
// says; after any of them the session is spent.
class DeviceSession {
 public:
  // Starts a process that waits to be configured.
  static absl::StatusOr<std::unique_ptr<DeviceSession>> Start(const WorkerSettings& settings);

  // True while the process can be expected to answer.
  bool IsAlive() const;

  // Whose waits end with an interruption; not owned.
  void Serve(Interruption* interruption) { interruption_ = interruption; }

  absl::Status Configure(const worker::v1::ConfigureRequest& request);
  // Device address of `memory`, a sealed memfd; 0 for an empty buffer.
  absl::StatusOr<uint64_t> Attach(const worker::v1::AttachBufferRequest& request, int memory);
  absl::Status DetachAll();
  absl::StatusOr<worker::v1::LoadModuleResponse> Load(std::string ptx);
  // Device memory until the next reset.
  absl::StatusOr<worker::v1::AllocateResponse> Allocate(int64_t size_bytes);
  absl::StatusOr<worker::v1::LaunchResponse> Launch(const worker::v1::LaunchRequest& request, absl::Time deadline);
  // Ends a call: no commands from now on.
  absl::StatusOr<worker::v1::CollectResponse> Collect(absl::Time deadline);
  // Begins a call.
  absl::Status Reset(int64_t warp_schedule);

  // The other end of the command channel, for a launcher. Once.
  UniqueFd TakeCommandEnd() { return std::move(command_end_); }

  // How the process ended; kills it if it runs.
  ProcessEnd End();

 private:
  DeviceSession(std::unique_ptr<JailedProcess> process, FrameChannel control, UniqueFd command_end);

  absl::StatusOr<worker::v1::DeviceResponse> Call(const worker::v1::DeviceRequest& request, absl::Time deadline,
                                                  int fd = -1);

  std::unique_ptr<JailedProcess> process_;
  FrameChannel control_;
  UniqueFd command_end_;
  Interruption* interruption_ = nullptr;
  std::optional<ProcessEnd> end_;
};

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_JUDGE_DEVICE_SESSION_H_
