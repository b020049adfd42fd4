#ifndef CUDAPERF_SANDBOX_JAIL_JAIL_PLAN_H_
#define CUDAPERF_SANDBOX_JAIL_JAIL_PLAN_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cudaperf::sandbox {

// What `cudaperf-jail` is told on its command line, by the starter and then by itself across bubblewrap. Plain values
// only: that program links neither protobuf nor abseil, so that it starts in well under a millisecond.
struct JailPlan {
  bool full = true;
  bool forking = false;
  bool scratch = false;
  int64_t wall_ms = 0;
  int64_t cpu_ms = 0;
  int64_t memory_bytes = 0;
  int64_t file_bytes = 0;
  int64_t process_count = 0;
  int64_t scratch_bytes = 0;
  // First descriptor that is not the program's; the supervisor's own ones live from here on.
  int control_fd = 0;
  // User the program runs as; 0: whoever started the supervisor. Filled in by the supervisor.
  int64_t user = 0;
  // Where the scratch folder is; filled in by the supervisor.
  std::string scratch_path;
  std::vector<std::string> readable_paths;
  // A GPU's nodes; with any, the driver's needs are met: see JailOptions.
  std::vector<std::string> device_paths;
  std::vector<std::string> environment;
  std::vector<std::string> argv;

  // As arguments of a phase of `cudaperf-jail`, and back; nullopt when they do not parse or a limit is zero.
  std::vector<std::string> ToArguments(const std::string& program, const std::string& phase) const;
  static std::optional<JailPlan> FromArguments(int argc, char** argv);
};

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_JAIL_JAIL_PLAN_H_
