#include "bench/service_under_test.h"

#include <signal.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <thread>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/time/clock.h"
#include "tests/test_paths.h"

namespace cudaperf::bench {
namespace {

constexpr std::chrono::seconds kCallLimit(180);
constexpr size_t kMessageBytes = 160;
constexpr size_t kLogLines = 12;

std::string TextOf(const grpc::Status& status) {
  static constexpr const char* kNames[] = {
      "OK",        "CANCELLED",      "UNKNOWN",           "INVALID_ARGUMENT",   "DEADLINE_EXCEEDED",
      "NOT_FOUND", "ALREADY_EXISTS", "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION",
      "ABORTED",   "OUT_OF_RANGE",   "UNIMPLEMENTED",     "INTERNAL",           "UNAVAILABLE",
      "DATA_LOSS", "UNAUTHENTICATED"};
  const size_t code = static_cast<size_t>(status.error_code());
  std::string message = status.error_message().substr(0, kMessageBytes);
  std::replace(message.begin(), message.end(), '\n', ' ');
  return absl::StrCat(code < std::size(kNames) ? kNames[code] : "?", ": ", message);
}

// How long to wait for a place in the queue; absent when the status is about something else.
std::optional<absl::Duration> PushbackOf(const grpc::ClientContext& context) {
  const auto& trailers = context.GetServerTrailingMetadata();
  const auto found = trailers.find("grpc-retry-pushback-ms");
  if (found == trailers.end()) return std::nullopt;
  const int milliseconds = std::atoi(std::string(found->second.data(), found->second.size()).c_str());
  return absl::Milliseconds(std::max(1, milliseconds));
}

}  // namespace

absl::StatusOr<std::unique_ptr<ServiceUnderTest>> ServiceUnderTest::Start(std::vector<std::string> flags) {
  flags.insert(flags.begin(), "--log_level=warning");
  auto daemon = server::DaemonProcess::Start(tests::BinaryFolder() + "/bin/cudaperfd", flags);
  if (!daemon.ok()) return daemon.status();
  std::unique_ptr<ServiceUnderTest> service(new ServiceUnderTest);
  service->daemon_ = *std::move(daemon);
  if (absl::Status status = service->Describe(service->daemon_->address()); !status.ok()) return status;
  return service;
}

absl::StatusOr<std::unique_ptr<ServiceUnderTest>> ServiceUnderTest::Connect(const std::string& address) {
  std::unique_ptr<ServiceUnderTest> service(new ServiceUnderTest);
  if (absl::Status status = service->Describe(address); !status.ok()) return status;
  return service;
}

absl::Status ServiceUnderTest::Describe(const std::string& address) {
  grpc::ChannelArguments arguments;
  arguments.SetMaxReceiveMessageSize(-1);
  stub_ = reward::v1::RewardService::NewStub(
      grpc::CreateCustomChannel(address, grpc::InsecureChannelCredentials(), arguments));
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + kCallLimit);
  const grpc::Status status = stub_->DescribeServer(&context, {}, &description_);
  return status.ok() ? absl::OkStatus() : absl::UnavailableError(absl::StrCat(address, ": ", TextOf(status)));
}

ServiceUnderTest::Answer ServiceUnderTest::Evaluate(const reward::v1::EvaluateKernelRequest& request) {
  const absl::Time started_at = absl::Now();
  Answer answer;
  for (;;) {
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + kCallLimit);
    reward::v1::EvaluateKernelResponse response;
    answer.status = stub_->EvaluateKernel(&context, request, &response);
    if (!answer.status.ok()) CountTrouble(TextOf(answer.status));
    const std::optional<absl::Duration> pushback = PushbackOf(context);
    if (!answer.status.ok() && pushback.has_value()) {
      absl::SleepFor(*pushback);
      continue;
    }
    answer.evaluation = std::move(*response.mutable_evaluation());
    answer.latency = absl::Now() - started_at;
    return answer;
  }
}

std::vector<std::string> ServiceUnderTest::Register(const std::map<std::string, reward::v1::Task>& tasks,
                                                    int concurrency) {
  const std::vector<std::pair<std::string, reward::v1::Task>> list(tasks.begin(), tasks.end());
  std::vector<std::string> results(list.size());
  std::atomic<size_t> next = 0;
  std::vector<std::thread> clients;
  for (int i = 0; i < concurrency; ++i) {
    clients.emplace_back([&] {
      for (size_t n = next++; n < list.size(); n = next++) {
        grpc::ClientContext context;
        context.set_deadline(std::chrono::system_clock::now() + kCallLimit);
        reward::v1::RegisterTaskRequest request;
        *request.mutable_task() = list[n].second;
        reward::v1::RegisterTaskResponse response;
        const grpc::Status status = stub_->RegisterTask(&context, request, &response);
        if (!status.ok()) results[n] = absl::StrCat(list[n].first, ": ", TextOf(status));
      }
    });
  }
  for (std::thread& client : clients) client.join();
  std::erase(results, "");
  return results;
}

std::string ServiceUnderTest::Identity() const {
  return absl::StrCat(description_.gpu(), " (", description_.device(), "), driver ",
                      description_.driver_version().empty() ? "-" : description_.driver_version(), ", toolkit ",
                      description_.toolkit_version(), ", ", description_.slot_count(), " slots, cudaperfd ",
                      description_.server_version());
}

std::map<std::string, int> ServiceUnderTest::Troubles() const {
  absl::MutexLock lock(&mutex_);
  return troubles_;
}

void ServiceUnderTest::CountTrouble(const std::string& text) {
  absl::MutexLock lock(&mutex_);
  ++troubles_[text];
}

std::string ServiceUnderTest::LogTail() const {
  if (daemon_ == nullptr) return "";
  std::vector<std::string> lines = absl::StrSplit(daemon_->Log(), '\n', absl::SkipEmpty());
  if (lines.size() > kLogLines) lines.erase(lines.begin(), lines.end() - kLogLines);
  return absl::StrJoin(lines, "\n");
}

absl::Status ServiceUnderTest::Stop() {
  if (daemon_ == nullptr) return absl::OkStatus();
  const absl::StatusOr<int> code = daemon_->Stop(SIGTERM, absl::Seconds(40));
  if (!code.ok()) return code.status();
  return *code == 0 ? absl::OkStatus() : absl::InternalError(absl::StrCat("cudaperfd ended with status ", *code));
}

}  // namespace cudaperf::bench
