#ifndef CUDAPERF_SERVER_QUEUED_REWARD_SERVICE_H_
#define CUDAPERF_SERVER_QUEUED_REWARD_SERVICE_H_

#include <atomic>
#include <stop_token>
#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "cudaperf/config/v1/server_config.pb.h"
#include "cudaperf/reward/v1/reward_service.grpc.pb.h"
#include "grpcpp/support/byte_buffer.h"
#include "server/evaluator.h"
#include "server/event_log.h"
#include "server/server_identity.h"
#include "server/server_metrics.h"
#include "server/task_registry.h"
#include "server/work_queue.h"

namespace cudaperf::server {

// Requests that carry text of clients arrive as bytes: what does not parse, such as text that is not UTF-8, is the
// caller's mistake and gets INVALID_ARGUMENT, where gRPC itself would answer UNIMPLEMENTED.
using RawRewardService = reward::v1::RewardService::WithRawCallbackMethod_EvaluateKernel<
    reward::v1::RewardService::WithRawCallbackMethod_RegisterTask<
        reward::v1::RewardService::WithCallbackMethod_ListTasks<
            reward::v1::RewardService::WithCallbackMethod_DescribeServer<reward::v1::RewardService::Service>>>>;

// The front desk: checks requests, answers at once what needs no work, and queues the rest. gRPC's threads never block
// in it. Thread-safe.
class QueuedRewardService : public RawRewardService {
 public:
  // Pointers are not owned; they outlive this.
  struct Options {
    config::v1::ServerConfig config;
    ServerIdentity identity;
    Evaluator* evaluator = nullptr;
    TaskRegistry* registry = nullptr;
    WorkQueue* queue = nullptr;
    ServerMetrics* metrics = nullptr;
    EventLog* log = nullptr;
  };
  explicit QueuedRewardService(Options options);

  grpc::ServerUnaryReactor* EvaluateKernel(grpc::CallbackServerContext* context, const grpc::ByteBuffer* request,
                                           grpc::ByteBuffer* response) override;
  grpc::ServerUnaryReactor* RegisterTask(grpc::CallbackServerContext* context, const grpc::ByteBuffer* request,
                                         grpc::ByteBuffer* response) override;
  grpc::ServerUnaryReactor* ListTasks(grpc::CallbackServerContext* context, const reward::v1::ListTasksRequest* request,
                                      reward::v1::ListTasksResponse* response) override;
  grpc::ServerUnaryReactor* DescribeServer(grpc::CallbackServerContext* context,
                                           const reward::v1::DescribeServerRequest* request,
                                           reward::v1::DescribeServerResponse* response) override;

  // Refuses requests with UNAVAILABLE from now on; those accepted go on.
  void Drain();
  // Ends everything accepted, queued or running.
  void StopAll();

 private:
  // Everything about a request that needs no slot; the task is null where it must be admitted first.
  absl::StatusOr<EvaluationRequest> Admit(const reward::v1::EvaluateKernelRequest& request, absl::Time arrived_at);
  absl::StatusOr<reward::v1::Evaluation> Evaluate(const reward::v1::Task& inline_task, EvaluationRequest evaluation,
                                                  const sandbox::CallScope& scope);
  absl::StatusOr<reward::v1::RegisterTaskResponse> Register(const reward::v1::RegisterTaskRequest& request,
                                                            const sandbox::CallScope& scope);
  void CountRefusal(const char* method, const absl::Status& status);

  const Options options_;
  const absl::Time started_at_;
  std::atomic<bool> draining_ = false;
  std::stop_source stop_all_;
};

}  // namespace cudaperf::server

#endif  // CUDAPERF_SERVER_QUEUED_REWARD_SERVICE_H_
