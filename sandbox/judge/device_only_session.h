#ifndef CUDAPERF_SANDBOX_JUDGE_DEVICE_ONLY_SESSION_H_
#define CUDAPERF_SANDBOX_JUDGE_DEVICE_ONLY_SESSION_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sandbox/judge/examined_device.h"
#include "sandbox/judge/program_session.h"
#include "sandbox/task/launch_binding.h"

namespace cudaperf::sandbox {

// A device-only candidate: the judge itself loads its kernels and launches them. No host code of the candidate exists.
class DeviceOnlySession : public ProgramSession {
 public:
  // Loads the program. `request` and `plans`, by case index, are not owned; they outlive this.
  static absl::StatusOr<std::unique_ptr<ProgramSession>> Start(ExaminedDevice device,
                                                               const worker::v1::ExamineRequest& request,
                                                               const std::vector<LaunchPlan>& plans);

  absl::Status BeginCase(int case_index, const std::vector<ParameterLayout>& layout,
                         const CallBuffers& buffers) override;
  absl::StatusOr<CallOutcome> Call(const CaseDraw& draw, int call) override;
  absl::Duration HostWork(const worker::v1::CollectResponse&) const override { return absl::ZeroDuration(); }
  absl::Status EndCase() override { return device_.session().DetachAll(); }
  ProcessEnd EndDevice() override { return device_.session().End(); }

 private:
  DeviceOnlySession(ExaminedDevice device, const worker::v1::ExamineRequest& request,
                    const std::vector<LaunchPlan>& plans)
      : device_(std::move(device)), request_(request), plans_(plans) {}

  // Sets `rejection` when there is too little memory.
  absl::Status AllocateScratch(CallOutcome& outcome);
  // Sets `rejection` when a value does not fit.
  worker::v1::LaunchRequest Arguments(const BoundLaunch& launch, const CaseDraw& draw, CallOutcome& outcome) const;
  // Launches in order until one fails. Its own error is also in what is collected.
  absl::Status LaunchAll(const CaseDraw& draw, absl::Time deadline, CallOutcome& outcome);

  ExaminedDevice device_;
  const worker::v1::ExamineRequest& request_;
  const std::vector<LaunchPlan>& plans_;
  int module_ = 0;
  // Why the module does not load; empty when it does.
  std::string load_error_;
  worker::v1::DeviceError load_error_kind_ = worker::v1::DEVICE_ERROR_NONE;
  const LaunchPlan* plan_ = nullptr;
  std::vector<uint64_t> scratch_;
};

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_JUDGE_DEVICE_ONLY_SESSION_H_
