#ifndef CUDAPERF_SANDBOX_JUDGE_LAUNCHER_SESSION_H_
#define CUDAPERF_SANDBOX_JUDGE_LAUNCHER_SESSION_H_

#include <memory>
#include <string>
#include <vector>

#include "sandbox/judge/examined_device.h"
#include "sandbox/judge/program_session.h"
#include "sandbox/judge/runner_session.h"

namespace cudaperf::sandbox {

// A launcher: hostile host code in a runner that commands the device. The verdict rests on what the judge collects from
// the device and reads from its own buffers, never on what the runner says.
class LauncherSession : public ProgramSession {
 public:
  // Starts the runner. `settings`, `request` and `interruption` are not owned; they outlive this.
  static absl::StatusOr<std::unique_ptr<ProgramSession>> Start(ExaminedDevice device, const WorkerSettings& settings,
                                                               const worker::v1::ExamineRequest& request,
                                                               Interruption* interruption);

  absl::Status BeginCase(int case_index, const std::vector<ParameterLayout>& layout,
                         const CallBuffers& buffers) override;
  absl::StatusOr<CallOutcome> Call(const CaseDraw& draw, int call) override;
  absl::Duration HostWork(const worker::v1::CollectResponse& collected) const override;
  absl::Status EndCase() override;
  ProcessEnd EndDevice() override { return device_.session().End(); }

 private:
  LauncherSession(ExaminedDevice device, std::unique_ptr<RunnerSession> runner,
                  const worker::v1::ExamineRequest& request)
      : device_(std::move(device)), runner_(std::move(runner)), request_(request) {}

  bool uses_host_memory() const { return request_.task().memory_space() == reward::v1::MEMORY_SPACE_HOST; }
  worker::v1::InvokeRequest Arguments(const CaseDraw& draw, std::vector<int>& fds) const;

  ExaminedDevice device_;
  std::unique_ptr<RunnerSession> runner_;
  const worker::v1::ExamineRequest& request_;
  const CallBuffers* buffers_ = nullptr;
  // Processor time of the runner when the last call began.
  absl::Duration time_before_;
};

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_JUDGE_LAUNCHER_SESSION_H_
