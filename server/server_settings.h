#ifndef CUDAPERF_SERVER_SERVER_SETTINGS_H_
#define CUDAPERF_SERVER_SERVER_SETTINGS_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "cudaperf/config/v1/server_config.pb.h"

namespace cudaperf::server {

// Parses a text-proto settings file's content. INVALID_ARGUMENT with line and field for anything it does not know.
absl::StatusOr<config::v1::ServerConfig> ParseSettings(absl::string_view text);

// Sets the field at `path` (`queue_limit`, `limits.case_time`) from a flag's text: numbers and booleans as usual,
// durations like `1.5s`, enums by name or by its last words (`full`), lists separated by commas and replaced as a
// whole, other messages as text proto. INVALID_ARGUMENT naming the field otherwise.
absl::Status SetField(absl::string_view path, const std::string& value, config::v1::ServerConfig* config);

// What the machine decides where the settings say nothing.
struct MachineDefaults {
  int core_count = 1;
  std::string toolkit_root;
  std::string worker_directory;
  reward::v1::SandboxLevel sandbox_level = reward::v1::SANDBOX_LEVEL_FULL;
};

// Every field set: the given ones as they are, the others to their defaults, the shipped reward policies before the
// given ones. INVALID_ARGUMENT naming the first field out of range, and the range.
absl::StatusOr<config::v1::ServerConfig> CompleteSettings(config::v1::ServerConfig config,
                                                          const MachineDefaults& machine);

// True for addresses that only this machine can reach.
bool IsLoopback(absl::string_view address);

}  // namespace cudaperf::server

#endif  // CUDAPERF_SERVER_SERVER_SETTINGS_H_
