#include "clients/cli/server_connection.h"

#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "grpcpp/create_channel.h"
#include "grpcpp/security/credentials.h"

namespace cudaperf::clients {
namespace {

using reward::v1::RewardService;

constexpr const char* kDefaultServer = "127.0.0.1:50061";
constexpr int kMaxMessageBytes = 64 * 1024 * 1024;

}  // namespace

std::vector<Option> ConnectionOptions() {
  return {{"server", Option::Takes::kValue, "HOST:PORT", absl::StrCat("the daemon [", kDefaultServer, "]")},
          {"timeout", Option::Takes::kValue, "DURATION", "longest wait for one answer, queue included [10m]"}};
}

absl::StatusOr<ServerConnection> ServerConnection::FromArguments(const Arguments& arguments) {
  const std::string text = arguments.Get("timeout", "10m");
  absl::Duration timeout;
  if (!absl::ParseDuration(text, &timeout) || timeout <= absl::ZeroDuration()) {
    return absl::InvalidArgumentError(absl::StrCat("--timeout: `", text, "` is not a duration such as 90s"));
  }
  return ServerConnection(arguments.Get("server", kDefaultServer), timeout);
}

ServerConnection::ServerConnection(std::string address, absl::Duration timeout)
    : address_(std::move(address)), timeout_(timeout) {
  grpc::ChannelArguments channel;
  channel.SetMaxReceiveMessageSize(kMaxMessageBytes);
  stub_ = RewardService::NewStub(grpc::CreateCustomChannel(address_, grpc::InsecureChannelCredentials(), channel));
}

absl::StatusOr<reward::v1::EvaluateKernelResponse> ServerConnection::Evaluate(
    const reward::v1::EvaluateKernelRequest& request) {
  return Call(&Stub::EvaluateKernel, request);
}

absl::StatusOr<reward::v1::RegisterTaskResponse> ServerConnection::Register(
    const reward::v1::RegisterTaskRequest& request) {
  return Call(&Stub::RegisterTask, request);
}

absl::StatusOr<reward::v1::ListTasksResponse> ServerConnection::ListTasks() {
  return Call(&Stub::ListTasks, reward::v1::ListTasksRequest());
}

absl::StatusOr<reward::v1::DescribeServerResponse> ServerConnection::Describe() {
  return Call(&Stub::DescribeServer, reward::v1::DescribeServerRequest());
}

template <typename Request, typename Response>
absl::StatusOr<Response> ServerConnection::Call(grpc::Status (Stub::*method)(grpc::ClientContext*, const Request&,
                                                                             Response*),
                                                const Request& request) {
  grpc::ClientContext context;
  context.set_deadline(absl::ToChronoTime(absl::Now() + timeout_));
  Response response;
  const grpc::Status status = (stub_.get()->*method)(&context, request, &response);
  if (status.ok()) return response;
  std::string message = status.error_message();
  if (status.error_code() == grpc::StatusCode::UNAVAILABLE) {
    absl::StrAppend(&message, " (is cudaperfd running on ", address_, "? start it, or name another with --server)");
  } else if (status.error_code() == grpc::StatusCode::DEADLINE_EXCEEDED) {
    absl::StrAppend(&message, " (no answer within ", absl::FormatDuration(timeout_), ": raise --timeout)");
  }
  return absl::Status(static_cast<absl::StatusCode>(status.error_code()), message);
}

}  // namespace cudaperf::clients
