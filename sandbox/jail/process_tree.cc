#include "sandbox/jail/process_tree.h"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "sandbox/worker/unique_fd.h"

namespace cudaperf::sandbox {
namespace {

std::string ReadFile(const std::string& path) {
  UniqueFd file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  std::string content;
  char buffer[4096];
  ssize_t count;
  while (file.valid() && (count = read(file.get(), buffer, sizeof(buffer))) > 0) content.append(buffer, count);
  return content;
}

void AppendChildren(pid_t pid, std::vector<pid_t>& into) {
  const std::string tasks = "/proc/" + std::to_string(pid) + "/task";
  DIR* folder = opendir(tasks.c_str());
  if (folder == nullptr) return;
  while (const dirent* task = readdir(folder)) {
    if (task->d_name[0] == '.') continue;
    const std::string children = ReadFile(tasks + "/" + task->d_name + "/children");
    const char* next = children.c_str();
    while (*next != '\0') {
      char* end;
      const long child = strtol(next, &end, 10);
      if (end == next) break;
      into.push_back(static_cast<pid_t>(child));
      next = *end == ' ' ? end + 1 : end;
    }
  }
  closedir(folder);
}

std::vector<pid_t> Descendants() {
  std::vector<pid_t> found;
  AppendChildren(getpid(), found);
  // A hostile tree is bounded by its process limit; this bounds us should it not be.
  constexpr size_t kMost = 1 << 16;
  for (size_t i = 0; i < found.size() && found.size() < kMost; ++i) AppendChildren(found[i], found);
  return found;
}

// Value of a line `name:  123 kB` in bytes.
int64_t KilobyteLine(std::string_view status, std::string_view name) {
  const size_t at = status.find(name);
  if (at == std::string_view::npos) return 0;
  return strtoll(status.data() + at + name.size(), nullptr, 10) * 1024;
}

// Its own and its reaped children's, in clock ticks: fields 14 to 17 of its `stat`, counted behind the name, which may
// hold anything.
int64_t CpuTicks(const std::string& stat) {
  const size_t name_end = stat.rfind(')');
  if (name_end == std::string::npos) return 0;
  const char* next = stat.c_str() + name_end + 1;
  int64_t ticks = 0;
  for (int field = 3; field <= 17; ++field) {
    next += strspn(next, " ");
    if (field >= 14) ticks += strtoll(next, nullptr, 10);
    next += strcspn(next, " ");
  }
  return ticks;
}

int64_t ReapedCpuMilliseconds() {
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  return 1000 * (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1000;
}

// kill(-1) as `user` reaches, in one call, all that runs as that user.
void KillUser(int64_t user) {
  const pid_t killer = fork();
  if (killer == 0) {
    const auto id = static_cast<uid_t>(user);
    if (setresuid(id, id, id) == 0) kill(-1, SIGKILL);
    _exit(0);
  }
  if (killer > 0) waitpid(killer, nullptr, 0);
}

}  // namespace

TreeUsage MeasureDescendants() {
  TreeUsage usage;
  int64_t ticks = 0;
  for (pid_t pid : Descendants()) {
    const std::string status = ReadFile("/proc/" + std::to_string(pid) + "/status");
    usage.resident_bytes += KilobyteLine(status, "RssAnon:") + KilobyteLine(status, "RssShmem:");
    ticks += CpuTicks(ReadFile("/proc/" + std::to_string(pid) + "/stat"));
    ++usage.process_count;
  }
  usage.cpu_ms = ticks * 1000 / sysconf(_SC_CLK_TCK) + ReapedCpuMilliseconds();
  return usage;
}

ReapedProgram KillAndReapDescendants(int64_t user, pid_t program) {
  ReapedProgram reaped;
  for (int round = 0;; ++round) {
    if (user != 0) KillUser(user);
    // Only we can reap our own children, so their ids are surely still theirs; deeper ones are named by id only when
    // there is no user of their own to name them by.
    std::vector<pid_t> tree;
    if (user != 0) {
      AppendChildren(getpid(), tree);
    } else {
      tree = Descendants();
    }
    // Stopped first: what is stopped forks no more.
    if (round > 0) {
      for (pid_t pid : tree) kill(pid, SIGSTOP);
    }
    for (pid_t pid : tree) kill(pid, SIGKILL);
    pid_t pid;
    int status;
    while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
      if (pid == program) reaped = {.seen = true, .status = status};
    }
    if (pid < 0 && errno == ECHILD) return reaped;
    poll(nullptr, 0, round < 20 ? 1 : 10);
  }
}

}  // namespace cudaperf::sandbox
