#ifndef CUDAPERF_SERVER_COMMAND_LINE_H_
#define CUDAPERF_SERVER_COMMAND_LINE_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"

namespace cudaperf::server {

// What was written behind `cudaperfd`.
struct CommandLine {
  enum class Action { kServe, kPrintConfig, kPrintHelp, kPrintVersion } action = Action::kServe;
  // Settings file; empty when there is none.
  std::string config_path;
  // File that gets the address, `host:port`, once the daemon serves; empty when there is none.
  std::string address_file;
  // Setting's path and value, in order; they go over the file.
  std::vector<std::pair<std::string, std::string>> settings;
};

// INVALID_ARGUMENT naming the flag. `arguments` is without the program's name.
absl::StatusOr<CommandLine> ParseCommandLine(const std::vector<std::string>& arguments);

// Text of `--help`: every flag with its default.
std::string HelpText();

}  // namespace cudaperf::server

#endif  // CUDAPERF_SERVER_COMMAND_LINE_H_
