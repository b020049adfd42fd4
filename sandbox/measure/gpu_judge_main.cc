// cudaperf-gpu-judge: in charge of one GPU. Draws inputs on it, runs candidates in GPU runners, says which cases they
// got right and how long they took. Descriptor 3 is the channel to the daemon; the process ends, with all its runners,
// when that closes. Started by the daemon.
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cstdio>
#include <optional>
#include <string>

#include "absl/strings/numbers.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "sandbox/measure/gpu_judge_server.h"

namespace {

constexpr int kDaemonFd = 3;

using cudaperf::sandbox::WorkerSettings;

struct Arguments {
  WorkerSettings settings;
  std::string gpu;
};

// Every setting is given: there are no defaults to fall back on unseen.
std::optional<Arguments> ParseArguments(int argc, char** argv) {
  Arguments arguments;
  WorkerSettings& settings = arguments.settings;
  bool is_good = argc == 7;
  for (int i = 1; i < argc && is_good; ++i) {
    absl::string_view argument = argv[i];
    int level = 0;
    int profile_level = 0;
    if (absl::ConsumePrefix(&argument, "--worker_directory=")) {
      settings.worker_directory = std::string(argument);
    } else if (absl::ConsumePrefix(&argument, "--toolkit_root=")) {
      settings.toolkit_root = std::string(argument);
    } else if (absl::ConsumePrefix(&argument, "--level=")) {
      is_good = absl::SimpleAtoi(argument, &level);
      settings.level = static_cast<cudaperf::reward::v1::SandboxLevel>(level);
    } else if (absl::ConsumePrefix(&argument, "--worker_memory_bytes=")) {
      is_good = absl::SimpleAtoi(argument, &settings.worker_memory_bytes) && settings.worker_memory_bytes > 0;
    } else if (absl::ConsumePrefix(&argument, "--profile_level=")) {
      is_good = absl::SimpleAtoi(argument, &profile_level);
      settings.profile_level = static_cast<cudaperf::reward::v1::ProfileLevel>(profile_level);
    } else if (absl::ConsumePrefix(&argument, "--gpu=")) {
      arguments.gpu = std::string(argument);
    } else {
      is_good = false;
    }
  }
  if (!is_good) return std::nullopt;
  return arguments;
}

}  // namespace

int main(int argc, char** argv) {
  using cudaperf::sandbox::FrameChannel;
  using cudaperf::sandbox::UniqueFd;
  const std::optional<Arguments> arguments = ParseArguments(argc, argv);
  if (!arguments.has_value() || fcntl(kDaemonFd, F_SETFD, FD_CLOEXEC) != 0) {
    std::fprintf(stderr, "cudaperf-gpu-judge: is started by the daemon\n");
    return 2;
  }
  // Whatever else leaked from the daemon, and a memory that runners of the same user may not look into.
  close_range(kDaemonFd + 1, ~0U, 0);
  prctl(PR_SET_DUMPABLE, 0);
  signal(SIGPIPE, SIG_IGN);
  const absl::Status end =
      cudaperf::sandbox::GpuJudgeServer(FrameChannel(UniqueFd(kDaemonFd)), arguments->settings, arguments->gpu).Run();
  if (end.ok()) return 0;
  std::fprintf(stderr, "cudaperf-gpu-judge: %s\n", std::string(end.message()).c_str());
  return 1;
}
