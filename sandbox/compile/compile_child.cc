#include "sandbox/compile/compile_child.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>

#include "absl/strings/str_cat.h"
#include "sandbox/compile/compile_time.h"
#include "sandbox/compile/device_compile.h"
#include "sandbox/jail/landlock_domain.h"
#include "sandbox/jail/syscall_filter.h"
#include "sandbox/worker/frame_channel.h"

namespace cudaperf::sandbox {
namespace {

using worker::v1::CompileResponse;

// Exit codes by which a child tells its server what the wait status cannot.
constexpr int kAnswered = 0;
constexpr int kOverMemory = 61;
constexpr int kNotConfined = 62;
constexpr int kNotSent = 63;
constexpr int kOverTime = 64;

constexpr int kOrdersFd = 3;
constexpr suseconds_t kCheckMicroseconds = 20'000;

// Set once, before the timer that reads them starts.
long memory_limit_kilobytes = 0;
int64_t cpu_limit_microseconds = 0;

rusage OwnUsage() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage;
}

int64_t CpuMicroseconds(const rusage& usage) {
  return int64_t{1'000'000} * (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) + usage.ru_utime.tv_usec +
         usage.ru_stime.tv_usec;
}

// Resident memory is all that a compile bomb takes; unlike an address space limit, this tells it from a crash.
void CheckUsage(int) {
  const rusage usage = OwnUsage();
  if (usage.ru_maxrss > memory_limit_kilobytes) _exit(kOverMemory);
  if (CpuMicroseconds(usage) > cpu_limit_microseconds) _exit(kOverTime);
}

void WatchUsage(int64_t extra_bytes, absl::Duration cpu_time) {
  const rusage usage = OwnUsage();
  memory_limit_kilobytes = usage.ru_maxrss + extra_bytes / 1024;
  cpu_limit_microseconds = CpuMicroseconds(usage) + absl::ToInt64Microseconds(cpu_time);
  // For a compiler that has lost its timer.
  const auto seconds = static_cast<rlim_t>(cpu_limit_microseconds / 1'000'000 + 2);
  const rlimit hard{.rlim_cur = seconds, .rlim_max = seconds + 1};
  setrlimit(RLIMIT_CPU, &hard);
  struct sigaction action {};
  action.sa_handler = CheckUsage;
  action.sa_flags = SA_RESTART;
  sigaction(SIGALRM, &action, nullptr);
  const timeval period{.tv_sec = 0, .tv_usec = kCheckMicroseconds};
  const itimerval timer{.it_interval = period, .it_value = period};
  setitimer(ITIMER_REAL, &timer, nullptr);
}

bool Confine(const std::string& toolkit_root) {
  LandlockDomain domain;
  return domain.valid() && domain.AllowReading(toolkit_root + "/include") && domain.Enter() &&
         InstallSyscallFilter(ProcessRule::kThreadsOnly, DriverRule::kAbsent, -1);
}

CompileResponse Death(worker::v1::CompileStatus status, std::string detail) {
  CompileResponse response;
  response.set_status(status);
  response.set_detail(std::move(detail));
  return response;
}

}  // namespace

void RunCompileChild(const NvrtcLibrary& nvrtc, const CompileChildOptions& options, UniqueFd orders) {
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  if (orders.get() != kOrdersFd) dup2(orders.get(), kOrdersFd);
  orders.Release();
  close_range(kOrdersFd + 1, ~0u, 0);
  if (!Confine(options.toolkit_root)) _exit(kNotConfined);
  PopulatePages(options.warm_ranges);
  FrameChannel channel{UniqueFd(kOrdersFd)};
  absl::StatusOr<Frame> frame = channel.Receive();
  worker::v1::CompileRequest request;
  if (!frame.ok() || frame->fds.size() != 1 || !request.ParseFromString(frame->bytes)) _exit(kNotSent);
  FrameChannel answer(std::move(frame->fds[0]));
  WatchUsage(options.memory_bytes, CpuTimeLimit(request));
  const CompileResponse response = CompileForDevice(nvrtc, options.toolkit_root, request);
  _exit(answer.Send(response).ok() ? kAnswered : kNotSent);
}

std::optional<CompileResponse> DescribeDeath(int status, bool was_overdue, const ChildTimeLimits& limits) {
  if (WIFEXITED(status) && WEXITSTATUS(status) == kAnswered) return std::nullopt;
  if (was_overdue) return Death(worker::v1::COMPILE_STATUS_TIMED_OUT, DescribeWallTimeOut(limits.wall_time));
  if ((WIFEXITED(status) && WEXITSTATUS(status) == kOverTime) || (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)) {
    return Death(worker::v1::COMPILE_STATUS_TIMED_OUT, DescribeCpuTimeOut(limits.cpu_time));
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == kOverMemory) {
    return Death(worker::v1::COMPILE_STATUS_LIMIT_EXCEEDED, "the compiler took too much memory");
  }
  // No statement about the candidate: the client hears its socket close and knows that it is ours.
  if (WIFEXITED(status) && (WEXITSTATUS(status) == kNotConfined || WEXITSTATUS(status) == kNotSent))
    return std::nullopt;
  // Our own limits exit or send other signals: an operator, or the machine's memory killer.
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) return std::nullopt;
  if (WIFSIGNALED(status)) {
    return Death(worker::v1::COMPILE_STATUS_CRASHED, absl::StrCat("the compiler was ended by signal ", WTERMSIG(status),
                                                                  " (", strsignal(WTERMSIG(status)), ")"));
  }
  return Death(worker::v1::COMPILE_STATUS_CRASHED,
               absl::StrCat("the compiler ended with exit code ", WEXITSTATUS(status)));
}

}  // namespace cudaperf::sandbox
