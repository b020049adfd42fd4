#include "sandbox/jail/confinement.h"

#include <fcntl.h>
#include <grp.h>
#include <linux/close_range.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

#include "sandbox/jail/landlock_domain.h"
#include "sandbox/jail/resource_limits.h"
#include "sandbox/jail/syscall_filter.h"
#include "sandbox/worker/unique_fd.h"

namespace cudaperf::sandbox {
namespace {

// Of the machine's own files, what every program needs.
constexpr const char* kSystemPaths[] = {
    "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc/ld.so.cache", "/etc/alternatives"};

// Says why over `report_fd` and ends the child.
[[noreturn]] void Fail(int report_fd, const char* step) {
  const std::string reason = std::string(step) + ": " + strerror(errno);
  [[maybe_unused]] ssize_t written = write(report_fd, reason.data(), reason.size());
  _exit(127);
}

std::vector<char*> Pointers(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (const std::string& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

// Opens the program where the descriptor limit, set later, will never let the program put a descriptor again.
int OpenProgram(const std::string& path, int exec_fd) {
  rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return -1;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
  UniqueFd program(open(path.c_str(), O_PATH | O_CLOEXEC));
  return program.valid() ? dup3(program.get(), exec_fd, O_CLOEXEC) : -1;
}

void AllowPaths(const JailPlan& plan, LandlockDomain& domain, int report_fd) {
  for (const char* path : kSystemPaths) {
    if (!domain.AllowReading(path)) Fail(report_fd, path);
  }
  for (const std::string& path : plan.readable_paths) {
    if (!domain.AllowReading(path)) Fail(report_fd, path.c_str());
  }
  const std::string own = "/proc/" + std::to_string(getpid());
  if (!domain.AllowReading(plan.argv[0])) Fail(report_fd, plan.argv[0].c_str());
  if (!domain.AllowReading(own)) Fail(report_fd, own.c_str());
  for (const std::string& path : plan.device_paths) {
    if (!domain.AllowDevice(path)) Fail(report_fd, path.c_str());
  }
  // The driver looks for its devices there, and names its threads.
  if (!plan.device_paths.empty()) {
    for (const char* path :
         {"/proc/driver/nvidia", "/proc/devices", "/proc/modules", "/sys/devices", "/sys/module/nvidia"}) {
      if (!domain.AllowReading(path)) Fail(report_fd, path);
    }
    if (!domain.AllowWriting(own)) Fail(report_fd, own.c_str());
  }
  if (!domain.AllowWriting("/dev/null")) Fail(report_fd, "/dev/null");
  if (plan.scratch && !domain.AllowWriting(plan.scratch_path)) Fail(report_fd, "scratch folder");
}

void OfferToOutOfMemoryKiller() {
  UniqueFd score(open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC));
  if (score.valid()) [[maybe_unused]]
    ssize_t written = write(score.get(), "1000", 4);
}

// Runs in the child and does not return.
[[noreturn]] void ConfineAndExecute(const JailPlan& plan, int report_fd, pid_t parent) {
  // One above the program's limit on descriptors, so that the filter can name it; see syscall_filter.h.
  constexpr int kExecFd = kDescriptorLimit + 1;
  setsid();
  umask(077);
  // Whoever is not dumpable does not even own its /proc entries.
  prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
  OfferToOutOfMemoryKiller();
  if (OpenProgram(plan.argv[0], kExecFd) < 0) Fail(report_fd, plan.argv[0].c_str());
  const int moved_report = fcntl(report_fd, F_DUPFD_CLOEXEC, kExecFd + 1);
  if (moved_report < 0) Fail(report_fd, "report descriptor");
  close_range(plan.control_fd, kExecFd - 1, 0);
  close_range(moved_report + 1, ~0u, 0);
  LandlockDomain domain;
  if (!domain.valid()) Fail(moved_report, "Landlock");
  AllowPaths(plan, domain, moved_report);
  const std::string folder = plan.scratch ? plan.scratch_path : "/";
  if (!ApplyResourceLimits(plan)) Fail(moved_report, "resource limits");
  if (!BecomeUser(plan)) Fail(moved_report, "change of user");
  if (chdir(folder.c_str()) != 0) Fail(moved_report, folder.c_str());
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);
  if (!domain.Enter()) Fail(moved_report, "Landlock");
  const ProcessRule rule = plan.forking ? ProcessRule::kProcesses : ProcessRule::kThreadsOnly;
  const DriverRule driver = plan.device_paths.empty() ? DriverRule::kAbsent : DriverRule::kPresent;
  if (!InstallSyscallFilter(rule, driver, kExecFd)) Fail(moved_report, "system call filter");
  syscall(SYS_execveat, kExecFd, "", Pointers(plan.argv).data(), Pointers(plan.environment).data(), AT_EMPTY_PATH);
  Fail(moved_report, plan.argv[0].c_str());
}

}  // namespace

bool BecomeUser(const JailPlan& plan) {
  if (plan.user == 0) return true;
  const auto id = static_cast<uid_t>(plan.user);
  return setgroups(0, nullptr) == 0 && setresgid(id, id, id) == 0 && setresuid(id, id, id) == 0;
}

StartedProgram StartConfined(const JailPlan& plan) {
  int report[2];
  if (pipe2(report, O_CLOEXEC) != 0) return {.pid = -1, .failure = "pipe"};
  UniqueFd reader(report[0]);
  UniqueFd writer(report[1]);
  const pid_t parent = getpid();
  const pid_t pid = fork();
  if (pid < 0) return {.pid = -1, .failure = std::string("fork: ") + strerror(errno)};
  if (pid == 0) ConfineAndExecute(plan, writer.get(), parent);
  writer.Reset();
  char reason[256];
  const ssize_t size = read(reader.get(), reason, sizeof(reason));
  // The program has closed its end by starting.
  if (size <= 0) return {.pid = pid, .failure = ""};
  waitpid(pid, nullptr, 0);
  return {.pid = -1, .failure = std::string(reason, static_cast<size_t>(size))};
}

}  // namespace cudaperf::sandbox
