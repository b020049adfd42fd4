#include "clients/cli/command.h"

#include <ostream>

namespace cudaperf::clients {
namespace {

constexpr const char* kHelp =
    "cudaperf: asks a cudaperfd for rewards of CUDA candidates.\n\n"
    "usage: cudaperf COMMAND [OPTION ...]\n\n"
    "  evaluate   evaluate candidates of a task\n"
    "  task       register, check or list tasks\n"
    "  describe   say what a daemon is and offers\n\n"
    "`cudaperf COMMAND --help` tells more.\n"
    "exit status: 0 answered, whatever the outcome; 2 bad usage or input; 3 the server failed or is not there\n";

bool IsHelp(const std::string& word) { return word == "--help" || word == "-h" || word == "help"; }

}  // namespace

int ReportFailure(const absl::Status& status, const Streams& streams) {
  streams.error << "cudaperf: " << status.message() << "\n";
  switch (status.code()) {
    case absl::StatusCode::kInvalidArgument:
    case absl::StatusCode::kNotFound:
    case absl::StatusCode::kFailedPrecondition:
      return kExitInput;
    default:
      return kExitServer;
  }
}

int RunCommand(const std::vector<std::string>& arguments, const Streams& streams) {
  if (arguments.empty()) {
    streams.error << kHelp;
    return kExitInput;
  }
  if (IsHelp(arguments[0])) {
    streams.out << kHelp;
    return kExitDone;
  }
  const std::vector<std::string> words(arguments.begin() + 1, arguments.end());
  if (arguments[0] == "evaluate") return RunEvaluate(words, streams);
  if (arguments[0] == "task") return RunTask(words, streams);
  if (arguments[0] == "describe") return RunDescribe(words, streams);
  streams.error << "cudaperf: unknown command `" << arguments[0] << "`: see cudaperf --help\n";
  return kExitInput;
}

}  // namespace cudaperf::clients
