#include "sandbox/jail/jailed_process.h"

#include <unistd.h>

#include <climits>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "sandbox/jail/supervised_process.h"

namespace cudaperf::sandbox {
namespace {

constexpr char kSupervisorName[] = "cudaperf-jail";

// Beside the jailed program (all workers lie in one folder), beside the running one, or in the `bin` folder beside that
// one's own folder (where tests find it).
absl::StatusOr<std::string> FindSupervisor(const std::string& program) {
  char own_path[PATH_MAX];
  const ssize_t size = readlink("/proc/self/exe", own_path, sizeof(own_path));
  if (size <= 0) return absl::InternalError("/proc/self/exe cannot be read");
  const std::string own(own_path, static_cast<size_t>(size));
  const std::string folder = own.substr(0, own.rfind('/'));
  const std::string above = folder.substr(0, folder.rfind('/'));
  const std::string beside = program.substr(0, program.rfind('/'));
  for (const std::string& path :
       {absl::StrCat(beside, "/", kSupervisorName), absl::StrCat(folder, "/", kSupervisorName),
        absl::StrCat(above, "/bin/", kSupervisorName)}) {
    if (access(path.c_str(), X_OK) == 0) return path;
  }
  return absl::InternalError(absl::StrCat(kSupervisorName, " is not in ", folder, " or ", above, "/bin"));
}

absl::Status CheckLimits(const JailLimits& limits) {
  const bool bounded =
      limits.wall_time > absl::ZeroDuration() && limits.wall_time < absl::InfiniteDuration() &&
      limits.memory_bytes > 0 && limits.file_bytes > 0 && limits.process_count > 0 && limits.scratch_bytes > 0 &&
      (!limits.cpu_time || (*limits.cpu_time > absl::ZeroDuration() && *limits.cpu_time < absl::InfiniteDuration()));
  return bounded ? absl::OkStatus() : absl::InvalidArgumentError("every limit of a jail must be above zero and finite");
}

absl::Status Check(const JailOptions& options) {
  if (options.level != reward::v1::SANDBOX_LEVEL_FULL && options.level != reward::v1::SANDBOX_LEVEL_REDUCED) {
    return absl::InvalidArgumentError("a jail's level is FULL or REDUCED");
  }
  if (options.argv.empty() || !absl::StartsWith(options.argv[0], "/")) {
    return absl::InvalidArgumentError("a jailed program is named by its absolute path");
  }
  for (const std::string& path : options.readable_paths) {
    if (!absl::StartsWith(path, "/") || path == "/") {
      return absl::InvalidArgumentError(absl::StrCat("readable path '", path, "' is not an absolute path below /"));
    }
  }
  for (const auto& [ours, theirs] : options.descriptors) {
    if (ours < 0 || theirs < 0 || theirs >= 200) {
      return absl::InvalidArgumentError(absl::StrCat("descriptor ", ours, " cannot be passed as ", theirs));
    }
  }
  return CheckLimits(options.limits);
}

bool Works(reward::v1::SandboxLevel level) {
  JailOptions options;
  options.level = level;
  options.argv = {"/bin/true"};
  options.limits.wall_time = absl::Seconds(10);
  absl::StatusOr<std::unique_ptr<JailedProcess>> process = JailedProcess::Start(options);
  if (!process.ok()) return false;
  const absl::StatusOr<ProcessEnd> end = (*process)->Wait(absl::InfiniteFuture());
  return end.ok() && end->cause == ProcessEnd::Cause::kExited && end->exit_code == 0;
}

}  // namespace

absl::StatusOr<std::unique_ptr<JailedProcess>> JailedProcess::Start(const JailOptions& options) {
  if (absl::Status status = Check(options); !status.ok()) return status;
  absl::StatusOr<std::string> supervisor = FindSupervisor(options.argv[0]);
  if (!supervisor.ok()) return supervisor.status();
  return SupervisedProcess::Start(*supervisor, options);
}

reward::v1::SandboxLevel JailedProcess::BestLevel() {
  for (reward::v1::SandboxLevel level : {reward::v1::SANDBOX_LEVEL_FULL, reward::v1::SANDBOX_LEVEL_REDUCED}) {
    if (Works(level)) return level;
  }
  return reward::v1::SANDBOX_LEVEL_UNSPECIFIED;
}

}  // namespace cudaperf::sandbox
