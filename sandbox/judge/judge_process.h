#ifndef CUDAPERF_SANDBOX_JUDGE_JUDGE_PROCESS_H_
#define CUDAPERF_SANDBOX_JUDGE_JUDGE_PROCESS_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "cudaperf/config/v1/server_config.pb.h"
#include "cudaperf/reward/v1/evaluation.pb.h"
#include "sandbox/judge/judge.h"
#include "sandbox/judge/judge_connection.h"

namespace cudaperf::sandbox {

// A judge in a process of its own, with an emulated device. See JudgeConnection for its life. Thread-safe.
class JudgeProcess : public Judge {
 public:
  struct Options {
    // Folder of the `cudaperf-*` binaries.
    std::string worker_directory;
    std::string toolkit_root;
    reward::v1::SandboxLevel level = reward::v1::SANDBOX_LEVEL_FULL;
    config::v1::Limits limits;
    // e.g. `sm_90`.
    std::string architecture = "sm_90";
    // Cores that the emulated device may use.
    int thread_count = 1;
  };

  // Starts the process and waits until it is ready.
  static absl::StatusOr<std::unique_ptr<JudgeProcess>> Start(Options options);

  absl::StatusOr<worker::v1::ExamineResponse> Examine(worker::v1::ExamineRequest request,
                                                      const CallScope& scope) override;
  absl::StatusOr<worker::v1::AdmitResponse> Admit(worker::v1::AdmitRequest request, const CallScope& scope) override;

  // Judges started over this object's life; the first counts.
  int64_t start_count() const { return connection_->start_count(); }

 private:
  explicit JudgeProcess(std::unique_ptr<JudgeConnection> connection) : connection_(std::move(connection)) {}

  const std::unique_ptr<JudgeConnection> connection_;
};

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_JUDGE_JUDGE_PROCESS_H_
