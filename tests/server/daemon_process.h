#ifndef CUDAPERF_TESTS_SERVER_DAEMON_PROCESS_H_
#define CUDAPERF_TESTS_SERVER_DAEMON_PROCESS_H_

#include <sys/types.h>

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "cudaperf/reward/v1/reward_service.grpc.pb.h"

namespace cudaperf::server {

// A real `cudaperfd` with real workers on free ports, for as long as the object lives.
class DaemonProcess {
 public:
  // Starts `binary` with `flags` and waits until it serves. What it logs goes to a file of its own.
  static absl::StatusOr<std::unique_ptr<DaemonProcess>> Start(const std::string& binary,
                                                              const std::vector<std::string>& flags);

  // Kills it if it still runs.
  ~DaemonProcess();

  pid_t pid() const { return pid_; }
  const std::string& address() const { return address_; }
  reward::v1::RewardService::Stub& stub() { return *stub_; }
  // Evaluates the source against the task, which is sent along, without the result cache.
  grpc::Status Evaluate(const reward::v1::Task& task, const std::string& source, reward::v1::Evaluation* evaluation);
  // All that was logged so far.
  std::string Log() const;

  // Sends the signal and waits for the end: the exit status, or 128 + signal. DEADLINE_EXCEEDED when it still runs.
  absl::StatusOr<int> Stop(int signal, absl::Duration limit);

 private:
  explicit DaemonProcess(std::string folder) : folder_(std::move(folder)) {}

  absl::Status Spawn(const std::string& binary, const std::vector<std::string>& flags);
  absl::Status AwaitAddress();
  // True when the process ended within the time.
  bool AwaitEnd(absl::Duration limit) const;

  const std::string folder_;
  pid_t pid_ = -1;
  int pidfd_ = -1;
  std::string address_;
  std::unique_ptr<reward::v1::RewardService::Stub> stub_;
};

}  // namespace cudaperf::server

#endif  // CUDAPERF_TESTS_SERVER_DAEMON_PROCESS_H_
