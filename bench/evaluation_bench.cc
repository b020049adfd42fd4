// What one evaluation costs, seen by a client: cached replies per second and their latency, and a warm evaluation of
// saxpy stage by stage. Starts a daemon of its own, or uses the one at --server.
//
//   evaluation_bench [--server HOST:PORT] [--rounds N]

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_format.h"
#include "absl/time/clock.h"
#include "cudaperf/reward/v1/reward_service.grpc.pb.h"
#include "grpcpp/grpcpp.h"
#include "proto/task_file.h"
#include "tests/server/daemon_process.h"

namespace cudaperf {
namespace {

using reward::v1::EvaluateKernelRequest;
using reward::v1::EvaluateKernelResponse;
using Stub = reward::v1::RewardService::Stub;

constexpr int kCachedReplies = 3000;
constexpr int kClients = 4;

double Median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

std::unique_ptr<Stub> Connect(const std::string& address) {
  grpc::ChannelArguments own_connection;
  own_connection.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  return reward::v1::RewardService::NewStub(
      grpc::CreateCustomChannel(address, grpc::InsecureChannelCredentials(), own_connection));
}

EvaluateKernelResponse Evaluate(Stub& stub, const EvaluateKernelRequest& request) {
  grpc::ClientContext context;
  EvaluateKernelResponse response;
  const grpc::Status status = stub.EvaluateKernel(&context, request, &response);
  if (!status.ok()) {
    std::cerr << "evaluation_bench: " << status.error_message() << "\n";
    std::exit(1);
  }
  return response;
}

// Each client sends as soon as it has its answer.
void MeasureCachedReplies(const std::string& address, const EvaluateKernelRequest& request, int client_count) {
  std::vector<std::vector<double>> latencies(client_count);
  std::vector<std::thread> clients;
  std::atomic<size_t> response_bytes = 0;
  const absl::Time started_at = absl::Now();
  for (int i = 0; i < client_count; ++i) {
    clients.emplace_back([&, i] {
      const std::unique_ptr<Stub> stub = Connect(address);
      for (int n = 0; n < kCachedReplies / client_count; ++n) {
        const absl::Time sent_at = absl::Now();
        response_bytes = Evaluate(*stub, request).ByteSizeLong();
        latencies[i].push_back(absl::ToDoubleMilliseconds(absl::Now() - sent_at));
      }
    });
  }
  for (std::thread& client : clients) client.join();
  const double seconds = absl::ToDoubleSeconds(absl::Now() - started_at);
  std::vector<double> all;
  for (const auto& own : latencies) all.insert(all.end(), own.begin(), own.end());
  std::cout << absl::StrFormat("%-28s %8.3f %12.0f %14d\n", absl::StrFormat("cached, %d client(s)", client_count),
                               Median(all), all.size() / seconds, static_cast<int>(response_bytes));
}

double Milliseconds(const google::protobuf::Duration& duration) {
  return duration.seconds() * 1e3 + duration.nanos() * 1e-6;
}

// What the judge spent on the candidate's own calls.
double EmulatedMilliseconds(const reward::v1::Evaluation& evaluation) {
  double milliseconds = 0;
  for (const auto& result : evaluation.screen().cases()) milliseconds += Milliseconds(result.total_duration());
  for (const auto& result : evaluation.verify().cases()) milliseconds += Milliseconds(result.total_duration());
  return milliseconds;
}

// A comment makes each candidate another one, so that neither cache knows it.
void MeasureStages(Stub& stub, EvaluateKernelRequest request, int rounds) {
  const std::string source = request.candidate().source();
  std::vector<std::string> order;
  std::map<std::string, std::vector<double>> stages;
  std::vector<double> totals, emulation, rest;
  for (int round = 0; round < rounds; ++round) {
    request.mutable_candidate()->set_source(
        absl::StrFormat("%s\n// round %d of %d\n", source, round, absl::ToUnixNanos(absl::Now())));
    const absl::Time sent_at = absl::Now();
    const EvaluateKernelResponse response = Evaluate(stub, request);
    totals.push_back(absl::ToDoubleMilliseconds(absl::Now() - sent_at));
    rest.push_back(totals.back());
    for (const auto& stage : response.evaluation().provenance().stage_durations()) {
      const double milliseconds = Milliseconds(stage.duration());
      if (round == 0) order.push_back(stage.stage());
      stages[stage.stage()].push_back(milliseconds);
      if (stage.stage() == "compile") rest.back() -= milliseconds;
    }
    const double emulated = EmulatedMilliseconds(response.evaluation());
    emulation.push_back(emulated);
    rest.back() -= emulated;
  }
  const double total = Median(totals);
  std::cout << absl::StrFormat("\n%-28s %10s %8s\n", "warm saxpy, device-only", "median ms", "share");
  for (const std::string& stage : order) {
    std::cout << absl::StrFormat("  %-26s %10.3f %7.1f%%\n", stage, Median(stages[stage]),
                                 100 * Median(stages[stage]) / total);
  }
  std::cout << absl::StrFormat("  %-26s %10.3f %7.1f%%\n", "of these, calls emulated", Median(emulation),
                               100 * Median(emulation) / total)
            << absl::StrFormat("  %-26s %10.3f %7.1f%%\n", "neither compile nor calls", Median(rest),
                               100 * Median(rest) / total)
            << absl::StrFormat("  %-26s %10.3f %7.1f%%\n", "whole call, by the client", total, 100.0);
}

int Main(const std::vector<std::string>& arguments) {
  std::string address;
  int rounds = 15;
  for (size_t i = 0; i + 1 < arguments.size(); i += 2) {
    if (arguments[i] == "--server") address = arguments[i + 1];
    if (arguments[i] == "--rounds") rounds = std::max(1, std::atoi(arguments[i + 1].c_str()));
  }
  std::unique_ptr<server::DaemonProcess> daemon;
  if (address.empty()) {
    auto started =
        server::DaemonProcess::Start(std::string(CUDAPERF_BINARY_DIR) + "/bin/cudaperfd", {"--log_level=warning"});
    if (!started.ok()) {
      std::cerr << started.status() << "\n";
      return 1;
    }
    daemon = *std::move(started);
    address = daemon->address();
  }
  const std::filesystem::path folder = std::filesystem::path(CUDAPERF_SOURCE_DIR) / "tasks/saxpy";
  const auto task = proto::ReadTaskFile(folder);
  const auto source = proto::ReadFile(folder / "candidates/fast.cu");
  if (!task.ok() || !source.ok()) {
    std::cerr << task.status() << source.status() << "\n";
    return 1;
  }
  const std::unique_ptr<Stub> stub = Connect(address);
  grpc::ClientContext context;
  reward::v1::RegisterTaskRequest registration;
  reward::v1::RegisterTaskResponse registered;
  *registration.mutable_task() = *task;
  const grpc::Status status = stub->RegisterTask(&context, registration, &registered);
  if (!status.ok()) {
    std::cerr << status.error_message() << "\n";
    return 1;
  }
  EvaluateKernelRequest request;
  request.set_task_id(registered.task_id());
  request.mutable_candidate()->set_source(*source);
  Evaluate(*stub, request);
  std::cout << absl::StrFormat("%-28s %8s %12s %14s\n", "", "p50 ms", "requests/s", "response bytes");
  for (const int clients : {1, kClients}) MeasureCachedReplies(address, request, clients);
  MeasureStages(*stub, request, rounds);
  return 0;
}

}  // namespace
}  // namespace cudaperf

int main(int argc, char** argv) { return cudaperf::Main({argv + 1, argv + argc}); }
