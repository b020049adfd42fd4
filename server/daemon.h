#ifndef CUDAPERF_SERVER_DAEMON_H_
#define CUDAPERF_SERVER_DAEMON_H_

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "analyzers/analyzer.h"
#include "cudaperf/config/v1/server_config.pb.h"
#include "grpcpp/server.h"
#include "sandbox/compile/compiler.h"
#include "sandbox/judge/judge.h"
#include "sandbox/measure/measurer.h"
#include "server/evaluator.h"
#include "server/event_log.h"
#include "server/metrics_endpoint.h"
#include "server/queued_reward_service.h"
#include "server/server_identity.h"
#include "server/server_metrics.h"
#include "server/task_admission.h"
#include "server/task_registry.h"
#include "server/work_queue.h"

namespace cudaperf::server {

// The running service: composes the rooms, listens, and drains. Owns everything it is given. Thread-compatible.
class Daemon {
 public:
  // What the daemon is composed of, besides its own parts.
  struct Parts {
    std::unique_ptr<sandbox::Compiler> compiler;
    // One per slot.
    std::vector<std::unique_ptr<sandbox::Judge>> judges;
    // Null without a GPU.
    std::unique_ptr<sandbox::Measurer> measurer;
    std::vector<std::unique_ptr<analyzers::Analyzer>> analyzers;
    std::unique_ptr<EventLog> log;
    std::string server_version;
    std::string toolkit_version;
  };

  // Serves once it returns. `config` has defaults and is valid. UNAVAILABLE when an address cannot be had.
  static absl::StatusOr<std::unique_ptr<Daemon>> Start(config::v1::ServerConfig config, Parts parts);

  // Drains with a limit of zero unless drained before.
  ~Daemon();

  // host:port with the real port.
  const std::string& address() const { return address_; }
  // 0 when there is no endpoint.
  int metrics_port() const { return endpoint_ == nullptr ? 0 : endpoint_->port(); }

  // Admits the task and keeps it.
  absl::Status RegisterTask(const reward::v1::Task& task);

  // Stops: health says NOT_SERVING, requests are refused with UNAVAILABLE, those accepted are finished within the limit
  // and stopped after it. Blocks; returns true when all accepted work was finished.
  bool Drain(absl::Duration limit);

 private:
  explicit Daemon(config::v1::ServerConfig config);

  absl::Status Compose(Parts parts);
  void ComposeMeasurer(std::unique_ptr<sandbox::Measurer> measurer);
  // What health checks are told: serving while neither draining nor without its GPU.
  void UpdateHealth();
  absl::Status Listen();
  absl::Status ListenForMetrics();

  const config::v1::ServerConfig config_;
  std::unique_ptr<EventLog> log_;
  std::unique_ptr<ServerMetrics> metrics_;
  std::unique_ptr<sandbox::Compiler> compiler_;
  std::unique_ptr<sandbox::Judge> judge_;
  std::unique_ptr<sandbox::Measurer> measurer_;
  std::unique_ptr<TaskAdmission> admission_;
  std::unique_ptr<TaskRegistry> registry_;
  std::unique_ptr<Evaluator> evaluator_;
  std::unique_ptr<QueuedRewardService> service_;
  // Joined before what its jobs use goes.
  std::unique_ptr<WorkQueue> queue_;
  std::unique_ptr<grpc::Server> server_;
  std::unique_ptr<MetricsEndpoint> endpoint_;
  std::string address_;
  std::atomic<bool> draining_ = false;
  std::atomic<bool> gpu_healthy_ = true;
};

}  // namespace cudaperf::server

#endif  // CUDAPERF_SERVER_DAEMON_H_
