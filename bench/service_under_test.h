#ifndef CUDAPERF_BENCH_SERVICE_UNDER_TEST_H_
#define CUDAPERF_BENCH_SERVICE_UNDER_TEST_H_

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "cudaperf/reward/v1/reward_service.grpc.pb.h"
#include "grpcpp/grpcpp.h"
#include "tests/server/daemon_process.h"

namespace cudaperf::bench {

// The daemon that a benchmark asks: one of its own, or one that already serves. Thread-safe once started.
class ServiceUnderTest {
 public:
  // Starts the daemon of CUDAPERF_BINARY_DIR with `flags`.
  static absl::StatusOr<std::unique_ptr<ServiceUnderTest>> Start(std::vector<std::string> flags);
  static absl::StatusOr<std::unique_ptr<ServiceUnderTest>> Connect(const std::string& address);

  struct Answer {
    // Last one, after all waiting for a place in the queue.
    grpc::Status status;
    reward::v1::Evaluation evaluation;
    // From the first attempt on.
    absl::Duration latency;
  };
  // A full queue is waited for as the daemon says, and the request repeated; that is counted. Another status is kept
  // for `Troubles`.
  Answer Evaluate(const reward::v1::EvaluateKernelRequest& request);

  // All of them at once, `concurrency` at a time. `name: message` of each that was refused.
  std::vector<std::string> Register(const std::map<std::string, reward::v1::Task>& tasks, int concurrency);

  const reward::v1::DescribeServerResponse& description() const { return description_; }
  // `GPU (device), driver D, toolkit T, slots`.
  std::string Identity() const;
  // Statuses other than OK, `code: message` with how often each occurred; waits for a place in the queue too.
  std::map<std::string, int> Troubles() const;
  // Last lines of the daemon's log; empty without a daemon of ours.
  std::string LogTail() const;

  // Ends a daemon of ours; an error when it does not end well.
  absl::Status Stop();

 private:
  ServiceUnderTest() = default;
  absl::Status Describe(const std::string& address);
  void CountTrouble(const std::string& text);

  std::unique_ptr<server::DaemonProcess> daemon_;
  std::unique_ptr<reward::v1::RewardService::Stub> stub_;
  reward::v1::DescribeServerResponse description_;
  mutable absl::Mutex mutex_;
  std::map<std::string, int> troubles_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace cudaperf::bench

#endif  // CUDAPERF_BENCH_SERVICE_UNDER_TEST_H_
