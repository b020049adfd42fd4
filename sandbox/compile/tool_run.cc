#include "sandbox/compile/tool_run.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "sandbox/worker/unique_fd.h"

namespace cudaperf::sandbox {
namespace {

std::vector<char*> Pointers(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

absl::StatusOr<pid_t> Spawn(std::vector<std::string>& argv, std::vector<std::string>& environment, int output) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
  posix_spawn_file_actions_addclosefrom_np(&actions, 3);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  pid_t pid = -1;
  const int error =
      posix_spawn(&pid, argv[0].c_str(), &actions, &attributes, Pointers(argv).data(), Pointers(environment).data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) return absl::ErrnoToStatus(error, absl::StrCat("cannot start ", argv[0]));
  return pid;
}

}  // namespace

absl::StatusOr<ToolRun> RunTool(std::vector<std::string> argv, std::vector<std::string> environment,
                                size_t output_limit) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return absl::ErrnoToStatus(errno, "pipe");
  UniqueFd reader(ends[0]);
  UniqueFd writer(ends[1]);
  absl::StatusOr<pid_t> pid = Spawn(argv, environment, writer.get());
  if (!pid.ok()) return pid.status();
  writer.Reset();
  ToolRun run;
  char buffer[16384];
  ssize_t count;
  while ((count = read(reader.get(), buffer, sizeof(buffer))) != 0) {
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) break;
    const size_t room = output_limit - run.output.size();
    run.output.append(buffer, std::min(room, static_cast<size_t>(count)));
    if (static_cast<size_t>(count) > room) {
      run.output_overflowed = true;
      kill(-*pid, SIGKILL);
      break;
    }
  }
  int status = 0;
  while (waitpid(*pid, &status, 0) < 0 && errno == EINTR) {
  }
  run.exited = WIFEXITED(status);
  run.exit_code = run.exited ? WEXITSTATUS(status) : 0;
  run.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  return run;
}

}  // namespace cudaperf::sandbox
