#include <algorithm>
#include <ostream>
#include <utility>

#include "absl/strings/str_cat.h"
#include "clients/cli/arguments.h"
#include "clients/cli/command.h"
#include "clients/cli/json.h"
#include "clients/cli/progress.h"
#include "clients/cli/server_connection.h"
#include "clients/cli/text_table.h"
#include "proto/task_file.h"

namespace cudaperf::clients {
namespace {

enum class Admission { kCheck, kKeep };

std::vector<Option> TaskOptions() {
  std::vector<Option> options = {{"json", Option::Takes::kSwitch, "", "print each whole response as proto JSON"},
                                 {"help", Option::Takes::kSwitch, "", ""}};
  for (Option& option : ConnectionOptions()) options.push_back(std::move(option));
  return options;
}

std::string Help() {
  return absl::StrCat(
      "usage: cudaperf task register FILE ... [OPTION ...]   admit tasks and keep them by name and digest\n"
      "       cudaperf task check FILE ... [OPTION ...]      only run the admission test\n"
      "       cudaperf task list [OPTION ...]                what is registered\n\n"
      "FILE is a task.textproto or its folder. A task is refused when its reference or its baseline fails, or when a\n"
      "wrong answer could pass it; the reason is printed.\n\n",
      DescribeOptions(TaskOptions()));
}

int ListTasks(const Arguments& arguments, ServerConnection& server, const Streams& streams) {
  absl::StatusOr<reward::v1::ListTasksResponse> response = server.ListTasks();
  if (!response.ok()) return ReportFailure(response.status(), streams);
  if (arguments.Has("json")) {
    streams.out << ToJson(*response) << "\n";
    return kExitDone;
  }
  std::vector<std::vector<std::string>> rows = {{"name", "cases", "task id", "launcher"}};
  for (const auto& task : response->tasks()) {
    rows.push_back({task.name().empty() ? "-" : task.name(), absl::StrCat(task.case_count()), task.task_id(),
                    task.launcher_prototype()});
  }
  streams.out << RenderTable(rows);
  return kExitDone;
}

int Admit(const std::string& file, const Arguments& arguments, Admission admission, ServerConnection& server,
          const Streams& streams) {
  absl::StatusOr<reward::v1::Task> task = proto::ReadTaskFile(file);
  if (!task.ok()) return ReportFailure(task.status(), streams);
  reward::v1::RegisterTaskRequest request;
  *request.mutable_task() = *std::move(task);
  const bool validate_only = admission == Admission::kCheck;
  request.set_validate_only(validate_only);
  absl::StatusOr<reward::v1::RegisterTaskResponse> response = [&] {
    const Progress progress(absl::StrCat(validate_only ? "checking " : "registering ", file));
    return server.Register(request);
  }();
  if (!response.ok()) {
    return ReportFailure(absl::Status(response.status().code(), absl::StrCat(file, ": ", response.status().message())),
                         streams);
  }
  if (arguments.Has("json")) {
    streams.out << ToJson(*response) << "\n";
    return kExitDone;
  }
  streams.out << (validate_only ? "admissible " : "registered ") << request.task().name() << " " << response->task_id()
              << "\n  launcher: " << response->launcher_prototype() << "\n";
  return kExitDone;
}

}  // namespace

int RunTask(const std::vector<std::string>& words, const Streams& streams) {
  absl::StatusOr<Arguments> arguments = Arguments::Parse(words, TaskOptions());
  if (!arguments.ok()) return ReportFailure(arguments.status(), streams);
  if (arguments->Has("help")) {
    streams.out << Help();
    return kExitDone;
  }
  std::vector<std::string> files = arguments->positional();
  const std::string action = files.empty() ? "" : files[0];
  if (action != "register" && action != "check" && action != "list") {
    return ReportFailure(
        absl::InvalidArgumentError("say task register, task check or task list: see cudaperf task --help"), streams);
  }
  files.erase(files.begin());
  if (files.empty() != (action == "list")) {
    return ReportFailure(absl::InvalidArgumentError(action == "list" ? "task list takes no files"
                                                                     : absl::StrCat("task ", action, " needs a file")),
                         streams);
  }
  absl::StatusOr<ServerConnection> server = ServerConnection::FromArguments(*arguments);
  if (!server.ok()) return ReportFailure(server.status(), streams);
  if (action == "list") return ListTasks(*arguments, *server, streams);
  const Admission admission = action == "check" ? Admission::kCheck : Admission::kKeep;
  int exit_status = kExitDone;
  for (const std::string& file : files) {
    exit_status = std::max(exit_status, Admit(file, *arguments, admission, *server, streams));
  }
  return exit_status;
}

}  // namespace cudaperf::clients
