#ifndef CUDAPERF_CLIENTS_CLI_COMMAND_H_
#define CUDAPERF_CLIENTS_CLI_COMMAND_H_

#include <iosfwd>
#include <string>
#include <vector>

#include "absl/status/status.h"

namespace cudaperf::clients {

// Exit status of `cudaperf`.
inline constexpr int kExitDone = 0;
// Bad usage, or input that the server refuses.
inline constexpr int kExitInput = 2;
// The server cannot be reached, is too busy, or failed.
inline constexpr int kExitServer = 3;

// Where a command writes. Not owned.
struct Streams {
  std::ostream& out;
  std::ostream& error;
};

// Writes `cudaperf: message` and returns the exit status that the code means.
int ReportFailure(const absl::Status& status, const Streams& streams);

// Each takes the words behind its name and returns an exit status.
int RunEvaluate(const std::vector<std::string>& words, const Streams& streams);
int RunTask(const std::vector<std::string>& words, const Streams& streams);
int RunDescribe(const std::vector<std::string>& words, const Streams& streams);

// `arguments` without the program's name.
int RunCommand(const std::vector<std::string>& arguments, const Streams& streams);

}  // namespace cudaperf::clients

#endif  // CUDAPERF_CLIENTS_CLI_COMMAND_H_
