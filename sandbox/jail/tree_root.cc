#include "sandbox/jail/tree_root.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "sandbox/jail/confinement.h"

namespace cudaperf::sandbox {
namespace {

void Tell(int fd, const std::string& text) { [[maybe_unused]] ssize_t written = write(fd, text.data(), text.size()); }

int AwaitProgram(pid_t program) {
  while (true) {
    int status;
    const pid_t pid = waitpid(-1, &status, 0);
    if (pid == program) return status;
    if (pid < 0 && errno != EINTR) return -1;
  }
}

}  // namespace

int RunTreeRoot(const JailPlan& plan) {
  // Not to be looked into through /proc.
  prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  const int program_stderr = plan.control_fd + 1;
  const int report = plan.control_fd;
  // The report descriptor is at or above control_fd, so the program never gets it.
  if (dup3(STDERR_FILENO, report, O_CLOEXEC) < 0 || dup2(program_stderr, STDERR_FILENO) < 0) return 1;
  const StartedProgram started = StartConfined(plan);
  if (started.pid < 0) {
    Tell(report, started.failure);
    return 1;
  }
  // The program's descriptors must end with the program.
  close_range(0, report - 1, 0);
  close_range(report + 1, ~0u, 0);
  Tell(report, "S");
  const int status = AwaitProgram(started.pid);
  Tell(report, "E" + std::string(reinterpret_cast<const char*>(&status), sizeof(status)));
  return 0;
}

}  // namespace cudaperf::sandbox
