// cudaperf-judge: holds inputs and expected outputs, runs programs on the device, says which cases they got right.
// Descriptor 3 is the channel to the daemon; the process ends, with all its workers, when that closes. Started by
// JudgeProcess.
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cstdio>
#include <optional>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "sandbox/judge/judge_server.h"

namespace {

constexpr int kDaemonFd = 3;

using cudaperf::sandbox::WorkerSettings;

// Every setting is given: there are no defaults to fall back on unseen.
std::optional<WorkerSettings> ParseArguments(int argc, char** argv) {
  WorkerSettings settings;
  int64_t level = 0;
  bool is_good = argc == 7;
  for (int i = 1; i < argc && is_good; ++i) {
    absl::string_view argument = argv[i];
    if (absl::ConsumePrefix(&argument, "--worker_directory=")) {
      settings.worker_directory = std::string(argument);
    } else if (absl::ConsumePrefix(&argument, "--runtime_directory=")) {
      settings.runtime_directory = std::string(argument);
    } else if (absl::ConsumePrefix(&argument, "--level=")) {
      is_good = absl::SimpleAtoi(argument, &level);
      settings.level = static_cast<cudaperf::reward::v1::SandboxLevel>(level);
    } else if (absl::ConsumePrefix(&argument, "--worker_memory_bytes=")) {
      is_good = absl::SimpleAtoi(argument, &settings.worker_memory_bytes) && settings.worker_memory_bytes > 0;
    } else if (absl::ConsumePrefix(&argument, "--architecture=")) {
      is_good = absl::SimpleAtoi(argument, &settings.architecture);
    } else if (absl::ConsumePrefix(&argument, "--thread_count=")) {
      is_good = absl::SimpleAtoi(argument, &settings.thread_count) && settings.thread_count > 0;
    } else {
      is_good = false;
    }
  }
  if (!is_good) return std::nullopt;
  return settings;
}

}  // namespace

int main(int argc, char** argv) {
  using cudaperf::sandbox::FrameChannel;
  using cudaperf::sandbox::UniqueFd;
  const std::optional<WorkerSettings> settings = ParseArguments(argc, argv);
  if (!settings.has_value() || fcntl(kDaemonFd, F_SETFD, FD_CLOEXEC) != 0) {
    std::fprintf(stderr, "cudaperf-judge: is started by the daemon\n");
    return 2;
  }
  // Whatever else leaked from the daemon, and a memory that workers of the same user may not look into.
  close_range(kDaemonFd + 1, ~0U, 0);
  prctl(PR_SET_DUMPABLE, 0);
  signal(SIGPIPE, SIG_IGN);
  const absl::Status end = cudaperf::sandbox::JudgeServer(FrameChannel(UniqueFd(kDaemonFd)), *settings).Run();
  if (end.ok()) return 0;
  std::fprintf(stderr, "cudaperf-judge: %s\n", std::string(end.message()).c_str());
  return 1;
}
