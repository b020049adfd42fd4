#include "sandbox/judge/judge_connection.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"

namespace cudaperf::sandbox {
namespace {

using worker::v1::JudgeRequest;
using worker::v1::JudgeResponse;

constexpr int kJudgeFd = 3;
// A judge starts one jailed device, or warms one GPU runner, before it is ready.
constexpr absl::Duration kStartLimit = absl::Seconds(90);
constexpr absl::Duration kCancelLimit = absl::Milliseconds(500);
// How long its workers' supervisors may take to clean up after a killed judge.
constexpr absl::Duration kCleanUpLimit = absl::Seconds(2);
constexpr absl::Duration kExitLimit = absl::Seconds(3);

UniqueFd OpenPidfd(pid_t pid) { return UniqueFd(static_cast<int>(syscall(SYS_pidfd_open, pid, 0))); }

int Milliseconds(absl::Time deadline) {
  if (deadline == absl::InfiniteFuture()) return -1;
  const absl::Duration left = std::clamp(deadline - absl::Now(), absl::ZeroDuration(), absl::Hours(24));
  return static_cast<int>(absl::ToInt64Milliseconds(absl::Ceil(left, absl::Milliseconds(1))));
}

bool AwaitReadable(int fd, absl::Time deadline) {
  while (true) {
    pollfd entry{.fd = fd, .events = POLLIN, .revents = 0};
    const int ready = poll(&entry, 1, Milliseconds(deadline));
    if (ready > 0) return true;
    if (ready == 0 && absl::Now() >= deadline) return false;
    if (ready < 0 && errno != EINTR) return false;
  }
}

// The supervisors of the judge's jailed workers, whichever of its threads started them.
std::vector<UniqueFd> ChildrenOf(pid_t pid) {
  std::vector<UniqueFd> children;
  std::error_code gone;
  for (const auto& thread : std::filesystem::directory_iterator(absl::StrCat("/proc/", pid, "/task"), gone)) {
    std::ifstream list(thread.path() / "children");
    for (pid_t child; list >> child;) children.push_back(OpenPidfd(child));
  }
  return children;
}

// fork after gRPC has started is unsupported; posix_spawn is not a fork in that sense.
absl::StatusOr<pid_t> SpawnJudge(const JudgeConnection::Options& options, int channel) {
  std::vector<char*> argv;
  for (const std::string& argument : options.argv) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  std::vector<char*> environment;
  for (const std::string& variable : options.environment) environment.push_back(const_cast<char*>(variable.c_str()));
  environment.push_back(nullptr);
  // dup2 onto the same number would leave the descriptor close-on-exec.
  UniqueFd spare(fcntl(channel, F_DUPFD_CLOEXEC, kJudgeFd + 1));
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, spare.get(), kJudgeFd);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  // Signals at their defaults and unblocked, in a group of its own: a terminal's Ctrl-C is for the daemon.
  sigset_t all, none;
  sigfillset(&all);
  sigemptyset(&none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
  pid_t pid = -1;
  const int error = posix_spawn(&pid, argv[0], &actions, &attributes, argv.data(), environment.data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0)
    return absl::UnavailableError(absl::StrCat("cannot start ", argv[0], ": ", std::string(strerror(error))));
  return pid;
}

int64_t AnsweredId(const JudgeResponse& response) {
  if (response.has_examine()) return response.examine().id();
  return response.has_admit() ? response.admit().id() : response.measure().id();
}

}  // namespace

JudgeConnection::JudgeConnection(Options options) : options_(std::move(options)) {}

absl::StatusOr<std::unique_ptr<JudgeConnection>> JudgeConnection::Start(Options options) {
  std::unique_ptr<JudgeConnection> judge(new JudgeConnection(std::move(options)));
  if (absl::Status status = judge->Spawn(); !status.ok()) return status;
  return judge;
}

JudgeConnection::~JudgeConnection() { EndGracefully(); }

int64_t JudgeConnection::start_count() const {
  const std::lock_guard lock(mutex_);
  return start_count_;
}

absl::Status JudgeConnection::Spawn() {
  absl::StatusOr<std::pair<FrameChannel, FrameChannel>> channel = FrameChannel::CreatePair();
  if (!channel.ok()) return channel.status();
  const absl::StatusOr<pid_t> pid = SpawnJudge(options_, channel->second.fd());
  if (!pid.ok()) return pid.status();
  pid_ = *pid;
  pidfd_ = OpenPidfd(pid_);
  channel_.emplace(std::move(channel->first));
  {
    const std::lock_guard lock(mutex_);
    ++start_count_;
  }
  { UniqueFd theirs = channel->second.ReleaseSocket(); }
  const auto first = channel_->ReceiveMessage<JudgeResponse>(absl::Now() + kStartLimit);
  if (!first.ok()) {
    KillTree();
    return absl::UnavailableError(absl::StrCat("the judge does not start: ", first.status().message()));
  }
  const worker::v1::JudgeReady& ready = first->ready();
  if (ready.status_code() != 0) {
    EndGracefully();
    return absl::Status(static_cast<absl::StatusCode>(ready.status_code()), ready.status_message());
  }
  if (ready_.gpu().uuid().empty()) ready_ = ready;
  return absl::OkStatus();
}

bool JudgeConnection::IsAlive() const {
  if (pid_ < 0) return false;
  pollfd entry{.fd = pidfd_.get(), .events = POLLIN, .revents = 0};
  return poll(&entry, 1, 0) == 0;
}

absl::StatusOr<JudgeResponse> JudgeConnection::Call(JudgeRequest& request, const CallScope& scope) {
  int64_t id = 0;
  {
    std::unique_lock lock(mutex_);
    const auto is_free = [this] { return !busy_; };
    const bool has_turn = scope.deadline == absl::InfiniteFuture()
                              ? turn_.wait(lock, scope.stop, is_free)
                              : turn_.wait_until(lock, scope.stop, absl::ToChronoTime(scope.deadline), is_free);
    if (scope.stop.stop_requested()) return absl::CancelledError("cancelled");
    if (!has_turn) return absl::DeadlineExceededError("the judge was busy until the deadline");
    busy_ = true;
    id = next_id_++;
  }
  if (request.has_examine()) request.mutable_examine()->set_id(id);
  if (request.has_admit()) request.mutable_admit()->set_id(id);
  if (request.has_measure()) request.mutable_measure()->set_id(id);
  absl::StatusOr<JudgeResponse> response = Converse(request, id, scope);
  {
    const std::lock_guard lock(mutex_);
    busy_ = false;
  }
  turn_.notify_one();
  return response;
}

absl::StatusOr<JudgeResponse> JudgeConnection::Converse(const JudgeRequest& request, int64_t id,
                                                        const CallScope& scope) {
  if (!IsAlive()) {
    KillTree();
    if (absl::Status status = Spawn(); !status.ok()) return status;
  }
  absl::Status status = channel_->Send(request, {}, scope.deadline);
  // Half a request may be in the channel: only a new judge can follow.
  if (!status.ok()) {
    KillTree();
    return absl::IsDeadlineExceeded(status) ? status : absl::UnavailableError("the judge died");
  }
  return AwaitResponse(id, scope);
}

absl::StatusOr<JudgeResponse> JudgeConnection::AwaitResponse(int64_t id, const CallScope& scope) {
  UniqueFd stopped(eventfd(0, EFD_CLOEXEC));
  const std::stop_callback on_stop(scope.stop, [fd = stopped.get()] { eventfd_write(fd, 1); });
  while (true) {
    pollfd entries[2] = {{.fd = channel_->fd(), .events = POLLIN, .revents = 0},
                         {.fd = stopped.get(), .events = POLLIN, .revents = 0}};
    const int ready = poll(entries, 2, Milliseconds(scope.deadline));
    if (ready < 0 && errno == EINTR) continue;
    if (ready < 0) return absl::ErrnoToStatus(errno, "poll");
    if (entries[0].revents != 0) break;
    if (entries[1].revents != 0) return Cancel(id, absl::CancelledError("cancelled"));
    if (absl::Now() >= scope.deadline)
      return Cancel(id, absl::DeadlineExceededError("the deadline passed during judgement"));
  }
  absl::StatusOr<JudgeResponse> response = channel_->ReceiveMessage<JudgeResponse>(absl::Now() + kStartLimit);
  if (!response.ok()) {
    KillTree();
    return absl::UnavailableError("the judge died");
  }
  if (AnsweredId(*response) == id) return response;
  KillTree();
  return absl::UnavailableError("the judge answered another request");
}

absl::Status JudgeConnection::Cancel(int64_t id, absl::Status reason) {
  JudgeRequest request;
  request.mutable_cancel()->set_id(id);
  const absl::Time limit = absl::Now() + kCancelLimit;
  absl::Status sent = channel_->Send(request, {}, limit);
  // Any answer will do, also the result that came at the same moment: its worker trees are gone.
  if (!sent.ok() || !channel_->ReceiveMessage<JudgeResponse>(limit).ok()) KillTree();
  return reason;
}

void JudgeConnection::KillTree() {
  if (pid_ < 0) return;
  const std::vector<UniqueFd> supervisors = ChildrenOf(pid_);
  kill(pid_, SIGKILL);
  while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
  // Each kills and reaps its tree as soon as its starter is gone.
  const absl::Time limit = absl::Now() + kCleanUpLimit;
  for (const UniqueFd& supervisor : supervisors) {
    if (supervisor.valid()) AwaitReadable(supervisor.get(), limit);
  }
  pid_ = -1;
  pidfd_.Reset();
  channel_.reset();
}

void JudgeConnection::EndGracefully() {
  if (pid_ < 0) return;
  channel_.reset();
  if (!AwaitReadable(pidfd_.get(), absl::Now() + kExitLimit)) {
    KillTree();
    return;
  }
  while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
}

}  // namespace cudaperf::sandbox
