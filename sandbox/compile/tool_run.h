#ifndef CUDAPERF_SANDBOX_COMPILE_TOOL_RUN_H_
#define CUDAPERF_SANDBOX_COMPILE_TOOL_RUN_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace cudaperf::sandbox {

// What a compiler driver did.
struct ToolRun {
  bool exited = false;
  int exit_code = 0;
  int signal = 0;
  // Standard output and error together, at most `output_limit`.
  std::string output;
  // It said more than that and was killed for it.
  bool output_overflowed = false;
};

// Runs `argv` in the current folder, in a process group of its own, with `environment` and nothing else, and waits for
// it. No time limit: the jail's is the one. INTERNAL when it cannot be started.
absl::StatusOr<ToolRun> RunTool(std::vector<std::string> argv, std::vector<std::string> environment,
                                size_t output_limit);

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_COMPILE_TOOL_RUN_H_
