#include <algorithm>
#include <filesystem>
#include <ostream>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "clients/cli/arguments.h"
#include "clients/cli/command.h"
#include "clients/cli/evaluation_table.h"
#include "clients/cli/json.h"
#include "clients/cli/progress.h"
#include "clients/cli/server_connection.h"
#include "proto/task_file.h"

namespace cudaperf::clients {
namespace {

using reward::v1::EvaluateKernelRequest;
using reward::v1::EvaluateKernelResponse;

enum class JsonOutput { kOff, kOn };

std::vector<Option> EvaluateOptions() {
  std::vector<Option> options = {
      {"task", Option::Takes::kValue, "FILE|NAME", "a task.textproto, its folder, or the name of a registered task"},
      {"candidate", Option::Takes::kValue, "FILE", "CUDA source; given several times, a table is printed"},
      {"policy", Option::Takes::kValue, "NAME", "reward policy [the server's default]"},
      {"skip-cache", Option::Takes::kSwitch, "", "evaluate afresh"},
      {"feedback-limit", Option::Takes::kValue, "BYTES", "longest feedback, 256..65536 [4096]"},
      {"json", Option::Takes::kSwitch, "", "print each whole response as proto JSON, one after another"},
      {"help", Option::Takes::kSwitch, "", ""}};
  for (Option& option : ConnectionOptions()) options.push_back(std::move(option));
  return options;
}

std::string Help() {
  return absl::StrCat(
      "usage: cudaperf evaluate --task FILE|NAME --candidate FILE [--candidate FILE ...] [OPTION ...]\n\n"
      "Evaluates candidates and prints outcome, reward and evidence. The outcome is about the candidate, so every\n"
      "outcome exits with 0.\n\n",
      DescribeOptions(EvaluateOptions()));
}

// A task by name unless it looks like, or is, a file.
absl::Status SetTask(const std::string& task, EvaluateKernelRequest* request) {
  std::error_code ignored;
  const bool is_path =
      absl::StrContains(task, "/") || absl::EndsWith(task, ".textproto") || std::filesystem::exists(task, ignored);
  if (!is_path) {
    request->set_task_id(task);
    return absl::OkStatus();
  }
  absl::StatusOr<reward::v1::Task> read = proto::ReadTaskFile(task);
  if (!read.ok()) return read.status();
  *request->mutable_task() = *std::move(read);
  return absl::OkStatus();
}

absl::StatusOr<EvaluateKernelRequest> CommonRequest(const Arguments& arguments) {
  if (!arguments.Has("task")) return absl::InvalidArgumentError("--task is missing: see cudaperf evaluate --help");
  if (!arguments.Has("candidate")) {
    return absl::InvalidArgumentError("--candidate is missing: see cudaperf evaluate --help");
  }
  if (!arguments.positional().empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("unexpected `", arguments.positional()[0], "`: put --candidate before each file"));
  }
  EvaluateKernelRequest request;
  if (absl::Status status = SetTask(arguments.Get("task"), &request); !status.ok()) return status;
  request.set_reward_policy(arguments.Get("policy"));
  request.set_skip_cache(arguments.Has("skip-cache"));
  int limit = 0;
  if (arguments.Has("feedback-limit") && !absl::SimpleAtoi(arguments.Get("feedback-limit"), &limit)) {
    return absl::InvalidArgumentError("--feedback-limit: not a number");
  }
  request.set_feedback_limit_bytes(limit);
  return request;
}

absl::StatusOr<NamedEvaluation> EvaluateFile(const std::string& file, EvaluateKernelRequest request, JsonOutput json,
                                             ServerConnection& server, std::ostream& out) {
  absl::StatusOr<std::string> source = proto::ReadFile(file);
  if (!source.ok()) return source.status();
  request.mutable_candidate()->set_source(*std::move(source));
  const std::string name = std::filesystem::path(file).filename();
  absl::StatusOr<EvaluateKernelResponse> response = [&] {
    const Progress progress(absl::StrCat("evaluating ", name));
    return server.Evaluate(request);
  }();
  if (!response.ok()) {
    return absl::Status(response.status().code(), absl::StrCat(file, ": ", response.status().message()));
  }
  if (json == JsonOutput::kOn) out << ToJson(*response) << "\n";
  return NamedEvaluation{name, std::move(*response->mutable_evaluation())};
}

}  // namespace

int RunEvaluate(const std::vector<std::string>& words, const Streams& streams) {
  absl::StatusOr<Arguments> arguments = Arguments::Parse(words, EvaluateOptions());
  if (!arguments.ok()) return ReportFailure(arguments.status(), streams);
  if (arguments->Has("help")) {
    streams.out << Help();
    return kExitDone;
  }
  absl::StatusOr<EvaluateKernelRequest> request = CommonRequest(*arguments);
  if (!request.ok()) return ReportFailure(request.status(), streams);
  absl::StatusOr<ServerConnection> server = ServerConnection::FromArguments(*arguments);
  if (!server.ok()) return ReportFailure(server.status(), streams);
  const JsonOutput json = arguments->Has("json") ? JsonOutput::kOn : JsonOutput::kOff;
  std::vector<NamedEvaluation> evaluations;
  int exit_status = kExitDone;
  for (const std::string& file : arguments->GetAll("candidate")) {
    absl::StatusOr<NamedEvaluation> evaluation = EvaluateFile(file, *request, json, *server, streams.out);
    if (!evaluation.ok()) {
      exit_status = std::max(exit_status, ReportFailure(evaluation.status(), streams));
      continue;
    }
    evaluations.push_back(*std::move(evaluation));
  }
  if (json == JsonOutput::kOn || evaluations.empty()) return exit_status;
  streams.out << (evaluations.size() == 1 ? DescribeEvaluation(evaluations[0]) : TabulateEvaluations(evaluations));
  return exit_status;
}

}  // namespace cudaperf::clients
