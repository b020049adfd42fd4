#ifndef CUDAPERF_SANDBOX_JAIL_SUPERVISED_PROCESS_H_
#define CUDAPERF_SANDBOX_JAIL_SUPERVISED_PROCESS_H_

#include <sys/types.h>

#include <memory>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "sandbox/jail/jailed_process.h"
#include "sandbox/worker/unique_fd.h"

namespace cudaperf::sandbox {

// A jailed process seen from its starter: a socket to the supervisor, whose closing means "kill". Thread-compatible.
class SupervisedProcess : public JailedProcess {
 public:
  // Blocks until the program runs (about 10 ms).
  static absl::StatusOr<std::unique_ptr<JailedProcess>> Start(const std::string& supervisor,
                                                              const JailOptions& options);

  ~SupervisedProcess() override;

  absl::StatusOr<ProcessEnd> Wait(absl::Time deadline) override;
  ProcessEnd Kill() override;
  absl::Duration ProcessorTime() const override;
  int end_fd() const override { return control_.get(); }

 private:
  SupervisedProcess(pid_t supervisor, UniqueFd control) : supervisor_(supervisor), control_(std::move(control)) {}

  absl::Status AwaitStart();
  void ReapSupervisor();

  pid_t supervisor_;
  UniqueFd control_;
  std::optional<ProcessEnd> end_;
};

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_JAIL_SUPERVISED_PROCESS_H_
