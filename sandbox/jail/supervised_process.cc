#include "sandbox/jail/supervised_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "sandbox/jail/jail_plan.h"
#include "sandbox/jail/jail_record.h"

namespace cudaperf::sandbox {
namespace {

// Descriptors of the program are moved past each other by way of numbers from here on.
constexpr int kStagingFd = 300;
// Processes of a tree whose time is added up: more than any tree's limit.
constexpr size_t kMostMeasured = 1024;

JailPlan ToPlan(const JailOptions& options, int control_fd) {
  JailPlan plan;
  plan.full = options.level == reward::v1::SANDBOX_LEVEL_FULL;
  plan.forking = options.forking == JailOptions::Forking::kAllowed;
  plan.scratch = options.scratch == JailOptions::Scratch::kPrivate;
  plan.wall_ms = absl::ToInt64Milliseconds(absl::Ceil(options.limits.wall_time, absl::Milliseconds(1)));
  const absl::Duration all_cores = options.limits.wall_time * std::max<int64_t>(1, sysconf(_SC_NPROCESSORS_ONLN));
  const absl::Duration cpu_time = options.limits.cpu_time.value_or(all_cores);
  plan.cpu_ms = absl::ToInt64Milliseconds(absl::Ceil(cpu_time, absl::Milliseconds(1)));
  plan.memory_bytes = options.limits.memory_bytes;
  plan.file_bytes = options.limits.file_bytes;
  plan.process_count = options.limits.process_count;
  plan.scratch_bytes = options.limits.scratch_bytes;
  plan.control_fd = control_fd;
  plan.readable_paths = options.readable_paths;
  plan.device_paths = options.device_paths;
  plan.environment = options.environment;
  plan.argv = options.argv;
  return plan;
}

// Duplicates of everything the supervisor is to inherit, and the actions that put them in place.
class SpawnActions {
 public:
  SpawnActions() { posix_spawn_file_actions_init(&actions_); }
  SpawnActions(const SpawnActions&) = delete;
  SpawnActions& operator=(const SpawnActions&) = delete;
  ~SpawnActions() { posix_spawn_file_actions_destroy(&actions_); }

  absl::Status Pass(int ours, int theirs) {
    staged_.emplace_back(fcntl(ours, F_DUPFD_CLOEXEC, kStagingFd));
    if (!staged_.back().valid()) return absl::ErrnoToStatus(errno, absl::StrCat("descriptor ", ours, " for the jail"));
    posix_spawn_file_actions_adddup2(&actions_, staged_.back().get(), theirs);
    return absl::OkStatus();
  }

  // Gaps below `first_closed` are filled by the supervisor.
  const posix_spawn_file_actions_t* Finish(const std::vector<int>& passed, int first_closed) {
    for (int fd = 0; fd < first_closed; ++fd) {
      if (std::find(passed.begin(), passed.end(), fd) == passed.end()) {
        posix_spawn_file_actions_addopen(&actions_, fd, "/dev/null", O_RDWR | (fd > 2 ? O_CLOEXEC : 0), 0);
      }
    }
    posix_spawn_file_actions_addclosefrom_np(&actions_, first_closed);
    return &actions_;
  }

  // Closes the duplicates; nothing can be spawned any more.
  void Release() { staged_.clear(); }

 private:
  posix_spawn_file_actions_t actions_;
  std::vector<UniqueFd> staged_;
};

absl::StatusOr<pid_t> Spawn(const std::string& program, std::vector<std::string> arguments,
                            const posix_spawn_file_actions_t* actions) {
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none;
  sigset_t all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  char* no_environment[] = {nullptr};
  pid_t pid = -1;
  const int error = posix_spawn(&pid, program.c_str(), actions, &attributes, pointers.data(), no_environment);
  posix_spawnattr_destroy(&attributes);
  if (error != 0) return absl::ErrnoToStatus(error, absl::StrCat("cannot start ", program));
  return pid;
}

// DEADLINE_EXCEEDED when nothing can be read in time.
absl::Status AwaitReadable(int fd, absl::Time deadline) {
  while (true) {
    const absl::Duration left = deadline - absl::Now();
    const int64_t milliseconds = std::clamp<int64_t>(absl::ToInt64Milliseconds(left) + 1, 0, 1 << 30);
    pollfd entry{.fd = fd, .events = POLLIN, .revents = 0};
    const int ready = poll(&entry, 1, left <= absl::ZeroDuration() ? 0 : static_cast<int>(milliseconds));
    if (ready > 0) return absl::OkStatus();
    if (ready < 0 && errno != EINTR) return absl::ErrnoToStatus(errno, "poll");
    if (ready == 0 && absl::Now() >= deadline) return absl::DeadlineExceededError("the jailed process still runs");
  }
}

std::vector<pid_t> ChildrenOf(pid_t pid) {
  std::vector<pid_t> children;
  std::error_code gone;
  for (const auto& thread : std::filesystem::directory_iterator(absl::StrCat("/proc/", pid, "/task"), gone)) {
    std::ifstream list(thread.path() / "children");
    for (pid_t child; list >> child;) children.push_back(child);
  }
  return children;
}

std::optional<JailRecord> ReceiveRecord(int fd) {
  JailRecord record;
  ssize_t count;
  do {
    count = recv(fd, &record, sizeof(record), 0);
  } while (count < 0 && errno == EINTR);
  if (count != sizeof(record)) return std::nullopt;
  return record;
}

ProcessEnd ToEnd(const JailRecord& record) {
  ProcessEnd end{.cause = static_cast<ProcessEnd::Cause>(record.cause)};
  if (end.cause == ProcessEnd::Cause::kExited) end.exit_code = record.value;
  if (end.cause == ProcessEnd::Cause::kSignaled) end.signal = record.value;
  return end;
}

}  // namespace

absl::StatusOr<std::unique_ptr<JailedProcess>> SupervisedProcess::Start(const std::string& supervisor,
                                                                        const JailOptions& options) {
  int control_fd = 3;
  std::vector<int> passed;
  SpawnActions actions;
  for (const auto& [ours, theirs] : options.descriptors) {
    if (absl::Status status = actions.Pass(ours, theirs); !status.ok()) return status;
    passed.push_back(theirs);
    control_fd = std::max(control_fd, theirs + 1);
  }
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return absl::ErrnoToStatus(errno, "socketpair");
  UniqueFd ours(ends[0]);
  UniqueFd theirs(ends[1]);
  if (absl::Status status = actions.Pass(theirs.get(), control_fd); !status.ok()) return status;
  passed.push_back(control_fd);
  absl::StatusOr<pid_t> pid = Spawn(supervisor, ToPlan(options, control_fd).ToArguments(supervisor, "supervise"),
                                    actions.Finish(passed, control_fd + 1));
  if (!pid.ok()) return pid.status();
  // Every other copy of the supervisor's end is closed, or its death would go unnoticed.
  theirs.Reset();
  actions.Release();
  std::unique_ptr<SupervisedProcess> process(new SupervisedProcess(*pid, std::move(ours)));
  if (absl::Status status = process->AwaitStart(); !status.ok()) return status;
  return process;
}

SupervisedProcess::~SupervisedProcess() { Kill(); }

absl::Status SupervisedProcess::AwaitStart() {
  const absl::Status readable = AwaitReadable(control_.get(), absl::Now() + absl::Seconds(15));
  const std::optional<JailRecord> record = readable.ok() ? ReceiveRecord(control_.get()) : std::nullopt;
  if (record && record->kind == JailRecord::Kind::kStarted) return absl::OkStatus();
  end_ = ProcessEnd{.cause = ProcessEnd::Cause::kKilledByUs};
  control_.Reset();
  ReapSupervisor();
  if (!record) return absl::InternalError("the jail's supervisor ended before the program started");
  const std::string sentence = absl::StrCat("jail: ", record->reason);
  if (record->machine_refuses != 0) return absl::FailedPreconditionError(sentence);
  return absl::InternalError(sentence);
}

absl::StatusOr<ProcessEnd> SupervisedProcess::Wait(absl::Time deadline) {
  if (end_) return *end_;
  if (absl::Status status = AwaitReadable(control_.get(), deadline); !status.ok()) return status;
  const std::optional<JailRecord> record = ReceiveRecord(control_.get());
  ReapSupervisor();
  end_ = record ? ToEnd(*record) : ProcessEnd{.cause = ProcessEnd::Cause::kKilledByUs};
  if (!record) return absl::InternalError("the jail's supervisor died");
  return *end_;
}

ProcessEnd SupervisedProcess::Kill() {
  if (end_) return *end_;
  shutdown(control_.get(), SHUT_WR);
  absl::StatusOr<ProcessEnd> end = Wait(absl::InfiniteFuture());
  return end.ok() ? *end : ProcessEnd{.cause = ProcessEnd::Cause::kKilledByUs};
}

absl::Duration SupervisedProcess::ProcessorTime() const {
  if (supervisor_ <= 0) return absl::ZeroDuration();
  absl::Duration total;
  std::vector<pid_t> tree = ChildrenOf(supervisor_);
  for (size_t i = 0; i < tree.size() && tree.size() < kMostMeasured; ++i) {
    const std::vector<pid_t> children = ChildrenOf(tree[i]);
    tree.insert(tree.end(), children.begin(), children.end());
  }
  for (pid_t pid : tree) {
    clockid_t clock;
    timespec time;
    if (clock_getcpuclockid(pid, &clock) == 0 && clock_gettime(clock, &time) == 0)
      total += absl::DurationFromTimespec(time);
  }
  return total;
}

void SupervisedProcess::ReapSupervisor() {
  while (supervisor_ > 0 && waitpid(supervisor_, nullptr, 0) < 0 && errno == EINTR) {
  }
  supervisor_ = -1;
}

}  // namespace cudaperf::sandbox
