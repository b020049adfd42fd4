#ifndef CUDAPERF_CLIENTS_CLI_SERVER_CONNECTION_H_
#define CUDAPERF_CLIENTS_CLI_SERVER_CONNECTION_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "clients/cli/arguments.h"
#include "cudaperf/reward/v1/reward_service.grpc.pb.h"

namespace cudaperf::clients {

// `--server` and `--timeout`, which every command has.
std::vector<Option> ConnectionOptions();

// One daemon to talk to. Errors keep the server's code; their message is the server's, or says what to do about a
// server that cannot be reached.
class ServerConnection {
 public:
  // INVALID_ARGUMENT for options that make no sense. Connects on the first call.
  static absl::StatusOr<ServerConnection> FromArguments(const Arguments& arguments);

  absl::StatusOr<reward::v1::EvaluateKernelResponse> Evaluate(const reward::v1::EvaluateKernelRequest& request);
  absl::StatusOr<reward::v1::RegisterTaskResponse> Register(const reward::v1::RegisterTaskRequest& request);
  absl::StatusOr<reward::v1::ListTasksResponse> ListTasks();
  absl::StatusOr<reward::v1::DescribeServerResponse> Describe();

 private:
  using Stub = reward::v1::RewardService::Stub;

  ServerConnection(std::string address, absl::Duration timeout);

  template <typename Request, typename Response>
  absl::StatusOr<Response> Call(grpc::Status (Stub::*method)(grpc::ClientContext*, const Request&, Response*),
                                const Request& request);

  std::string address_;
  absl::Duration timeout_;
  std::unique_ptr<Stub> stub_;
};

}  // namespace cudaperf::clients

#endif  // CUDAPERF_CLIENTS_CLI_SERVER_CONNECTION_H_
