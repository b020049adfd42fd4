#include "sandbox/jail/supervisor.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "sandbox/jail/bubblewrap.h"
#include "sandbox/jail/bundle.h"
#include "sandbox/jail/confinement.h"
#include "sandbox/jail/exposed_paths.h"
#include "sandbox/jail/jail_record.h"
#include "sandbox/jail/process_tree.h"
#include "sandbox/jail/scratch_folder.h"
#include "sandbox/jail/user_slot.h"
#include "sandbox/worker/unique_fd.h"

namespace cudaperf::sandbox {
namespace {

using Clock = std::chrono::steady_clock;

// In the order of ProcessEnd::Cause, which this program does not link.
enum class Cause : int32_t { kExited, kSignaled, kKilledByUs, kWallTime, kMemory, kCpuTime };

// How often the tree's memory and processor time are looked at: while it works, and at least while it sleeps, since
// jails that wait for work would cost a percent of a core each.
constexpr std::chrono::milliseconds kSamplePeriod(20);
constexpr std::chrono::milliseconds kLongestSamplePeriod(160);
constexpr std::chrono::seconds kSetUpLimit(10);

class Supervisor {
 public:
  Supervisor(JailPlan plan, std::string jail_program)
      : plan_(std::move(plan)), jail_program_(std::move(jail_program)), control_(plan_.control_fd) {
    if (std::string libraries = BundledLibraries(plan_.argv[0]); !libraries.empty())
      plan_.readable_paths.push_back(std::move(libraries));
  }

  int Run() {
    Prepare();
    if (std::string refusal = Start(); !refusal.empty()) {
      KillAndReapDescendants(plan_.user, 0);
      Refuse(refusal, machine_refuses_);
      return 1;
    }
    Send({.kind = JailRecord::Kind::kStarted});
    JailRecord end = AwaitEnd();
    const ReapedProgram reaped = KillAndReapDescendants(plan_.user, program_);
    if (reaped.seen && static_cast<Cause>(end.cause) == Cause::kKilledByUs)
      end = FromStatusIfOwnEnd(reaped.status, end);
    scratch_ = ScratchFolder();
    Send(end);
    return 0;
  }

 private:
  // Makes this process fit to supervise: nothing it opens gets a number that the program has a use for.
  void Prepare() {
    setsid();
    signal(SIGPIPE, SIG_IGN);
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    fcntl(control_.get(), F_SETFD, FD_CLOEXEC);
    int filler;
    while ((filler = open("/dev/null", O_RDWR | O_CLOEXEC)) >= 0 && filler < plan_.control_fd) {
    }
    if (filler >= 0) close(filler);
    sigset_t children;
    sigemptyset(&children);
    sigaddset(&children, SIGCHLD);
    sigprocmask(SIG_BLOCK, &children, nullptr);
    children_ = UniqueFd(signalfd(-1, &children, SFD_CLOEXEC | SFD_NONBLOCK));
  }

  // Empty when the program runs.
  std::string Start() {
    slot_ = UserSlot::Take();
    plan_.user = slot_.user();
    if (geteuid() == 0 && plan_.user == 0) return "no user id is free for another jail";
    const std::string failure = plan_.full ? StartInNamespaces() : StartHere();
    if (failure.empty()) close_range(0, static_cast<unsigned>(plan_.control_fd) - 1, 0);
    return failure;
  }

  std::string StartHere() {
    for (const std::string& path : plan_.readable_paths) {
      // The program itself is started through a descriptor.
      if (plan_.user == 0 || path == plan_.argv[0] || IsReachableByOthers(path)) continue;
      return path + " lies in a folder that only root may pass, and at this level the jail cannot show it to its user";
    }
    if (plan_.scratch) {
      scratch_ = ScratchFolder::Create(plan_.user);
      if (!scratch_.valid()) return "scratch folder cannot be made";
      plan_.scratch_path = scratch_.path();
    }
    sigset_t none;
    sigset_t blocked;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, &blocked);
    const StartedProgram started = StartConfined(plan_);
    sigprocmask(SIG_SETMASK, &blocked, nullptr);
    program_ = started.pid;
    machine_refuses_ = started.failure.starts_with("Landlock");
    return started.failure;
  }

  std::string StartInNamespaces() {
    const std::string bubblewrap = FindBubblewrap(jail_program_);
    machine_refuses_ = true;
    if (bubblewrap.empty()) return "bubblewrap is not installed";
    int report[2];
    if (pipe2(report, O_CLOEXEC) != 0) return "pipe";
    report_ = UniqueFd(report[0]);
    UniqueFd writer(report[1]);
    const pid_t child = fork();
    if (child < 0) return std::string("fork: ") + strerror(errno);
    if (child == 0) BecomeBubblewrap(bubblewrap, writer.get());
    writer.Reset();
    return AwaitTreeRoot();
  }

  [[noreturn]] void BecomeBubblewrap(const std::string& bubblewrap, int writer) {
    const int high_writer = fcntl(writer, F_DUPFD, plan_.control_fd + 2);
    dup2(STDERR_FILENO, plan_.control_fd + 1);
    dup2(high_writer, STDERR_FILENO);
    close(plan_.control_fd);
    close_range(static_cast<unsigned>(plan_.control_fd) + 2, ~0u, 0);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    JailPlan inner = plan_;
    inner.user = 0;
    inner.scratch_path = plan_.scratch ? kInnerScratchPath : "";
    // A bundle's bubblewrap needs the bundle's libraries, and lies where the jail's user may not reach it.
    const std::string libraries = BundledLibraries(jail_program_);
    std::vector<std::string> paths = plan_.readable_paths;
    paths.insert(paths.end(), {plan_.argv[0], jail_program_, bubblewrap});
    if (!libraries.empty()) paths.push_back(libraries);
    const std::map<std::string, std::string> exposed = ExposePaths(paths);
    const auto now_at = [&exposed](const std::string& path) {
      const auto place = exposed.find(path);
      return place == exposed.end() ? path : place->second;
    };
    const std::string program = now_at(bubblewrap);
    std::vector<std::string> command =
        BubblewrapCommand(program, plan_, jail_program_, inner.ToArguments(jail_program_, "root"), exposed);
    std::vector<char*> arguments;
    for (std::string& word : command) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    std::string library_path = "LD_LIBRARY_PATH=" + now_at(libraries);
    char* environment[] = {libraries.empty() ? nullptr : library_path.data(), nullptr};
    if (BecomeUser(plan_)) execve(program.c_str(), arguments.data(), environment);
    dprintf(STDERR_FILENO, "bubblewrap cannot be started: %s", strerror(errno));
    _exit(127);
  }

  // Reads until the tree root says that the program runs; else what went wrong, in bubblewrap's words or the root's.
  std::string AwaitTreeRoot() {
    std::string said;
    const Clock::time_point give_up = Clock::now() + kSetUpLimit;
    while (Clock::now() < give_up) {
      pollfd ready[] = {{report_.get(), POLLIN, 0}, {control_.get(), POLLRDHUP, 0}};
      if (poll(ready, 2, 1000) < 0 && errno != EINTR) break;
      if (ready[1].revents != 0) return "the starter hung up";
      if (ready[0].revents == 0) continue;
      char byte;
      const ssize_t count = read(report_.get(), &byte, 1);
      if (count == 0) {
        machine_refuses_ = said.starts_with("bwrap:");
        return said.empty() ? "the namespaces' first process ended at once" : said;
      }
      if (said.empty() && byte == 'S') return "";
      if (said.size() < 400) said.push_back(byte);
    }
    return "the namespaces were not ready in time";
  }

  JailRecord AwaitEnd() {
    const Clock::time_point wall_end =
        Clock::now() + std::chrono::milliseconds(std::min<int64_t>(plan_.wall_ms, int64_t{1} << 40));
    std::chrono::milliseconds period = kSamplePeriod;
    int64_t cpu_ms = 0;
    Clock::time_point next_sample = Clock::now() + period;
    while (true) {
      const Clock::time_point now = Clock::now();
      if (now >= wall_end) return Ended(Cause::kWallTime, 0);
      if (now >= next_sample) {
        const TreeUsage usage = MeasureDescendants();
        if (std::optional<Cause> over = LimitPassed(usage)) return Ended(*over, 0);
        const bool sleeps = std::exchange(cpu_ms, usage.cpu_ms) == usage.cpu_ms;
        period = sleeps ? std::min(2 * period, kLongestSamplePeriod) : kSamplePeriod;
        next_sample = Clock::now() + period;
      }
      const auto wait = std::chrono::ceil<std::chrono::milliseconds>(std::min(wall_end, next_sample) - now);
      pollfd ready[] = {{control_.get(), POLLRDHUP, 0}, {children_.get(), POLLIN, 0}, {report_.get(), POLLIN, 0}};
      poll(ready, plan_.full ? 3 : 2, static_cast<int>(wait.count()));
      if (std::optional<int> status = plan_.full ? ReadReport(ready[2].revents) : Reap()) return FromStatus(*status);
      if (ready[0].revents != 0) return Ended(Cause::kKilledByUs, 0);
    }
  }

  std::optional<Cause> LimitPassed(const TreeUsage& usage) const {
    if (usage.resident_bytes > plan_.memory_bytes) return Cause::kMemory;
    if (usage.cpu_ms > plan_.cpu_ms) return Cause::kCpuTime;
    if (scratch_.valid() && scratch_.Measure(plan_.scratch_bytes) > plan_.scratch_bytes) return Cause::kMemory;
    return std::nullopt;
  }

  // Reaps whoever has ended; the program's status if it is among them.
  std::optional<int> Reap() {
    signalfd_siginfo ignored;
    while (read(children_.get(), &ignored, sizeof(ignored)) > 0) {
    }
    std::optional<int> program_status;
    int status;
    pid_t pid;
    while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
      if (pid == program_) program_status = status;
    }
    return program_status;
  }

  std::optional<int> ReadReport(short events) {
    if (events == 0) return Reap(), std::nullopt;
    char message[1 + sizeof(int)];
    const ssize_t count = read(report_.get(), message, sizeof(message));
    // The tree root died without a word: something outside killed it.
    int status = SIGKILL;
    if (count == sizeof(message) && message[0] == 'E') std::memcpy(&status, message + 1, sizeof(status));
    return status;
  }

  static JailRecord Ended(Cause cause, int value) {
    return {.kind = JailRecord::Kind::kEnded, .cause = static_cast<int32_t>(cause), .value = value};
  }

  static JailRecord FromStatus(int status) {
    if (WIFSIGNALED(status)) return Ended(Cause::kSignaled, WTERMSIG(status));
    return Ended(Cause::kExited, WEXITSTATUS(status));
  }

  // The program may have ended by itself in the moment that we were told to kill it.
  static JailRecord FromStatusIfOwnEnd(int status, const JailRecord& killed) {
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL ? killed : FromStatus(status);
  }

  void Send(const JailRecord& record) { send(control_.get(), &record, sizeof(record), MSG_NOSIGNAL); }

  void Refuse(const std::string& reason, bool machine_refuses) {
    JailRecord record{.kind = JailRecord::Kind::kRefused, .machine_refuses = machine_refuses};
    std::memcpy(record.reason, reason.data(), std::min(reason.size(), sizeof(record.reason) - 1));
    Send(record);
  }

  JailPlan plan_;
  std::string jail_program_;
  UniqueFd control_;
  UniqueFd children_;
  UniqueFd report_;
  UserSlot slot_;
  ScratchFolder scratch_;
  pid_t program_ = 0;
  bool machine_refuses_ = false;
};

}  // namespace

int RunSupervisor(JailPlan plan, const std::string& jail_program) {
  return Supervisor(std::move(plan), jail_program).Run();
}

}  // namespace cudaperf::sandbox
