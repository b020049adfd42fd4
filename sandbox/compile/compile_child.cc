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

constexpr int kOrdersFd = 3;
constexpr suseconds_t kMemoryCheckMicroseconds = 20'000;

// Set once, before the timer that reads it starts.
long memory_limit_kilobytes = 0;

long PeakKilobytes() {
  rusage usage;
  return getrusage(RUSAGE_SELF, &usage) == 0 ? usage.ru_maxrss : 0;
}

// Resident memory is all that a compile bomb takes; unlike an address space limit, this tells it from a crash.
void CheckMemory(int) {
  if (PeakKilobytes() > memory_limit_kilobytes) _exit(kOverMemory);
}

void WatchMemory(int64_t extra_bytes) {
  memory_limit_kilobytes = PeakKilobytes() + extra_bytes / 1024;
  struct sigaction action {};
  action.sa_handler = CheckMemory;
  action.sa_flags = SA_RESTART;
  sigaction(SIGALRM, &action, nullptr);
  const timeval period{.tv_sec = 0, .tv_usec = kMemoryCheckMicroseconds};
  const itimerval timer{.it_interval = period, .it_value = period};
  setitimer(ITIMER_REAL, &timer, nullptr);
}

bool Confine(const std::string& toolkit_root) {
  LandlockDomain domain;
  return domain.valid() && domain.AllowReading(toolkit_root + "/include") && domain.Enter() &&
         InstallSyscallFilter(ProcessRule::kThreadsOnly, -1);
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
  WatchMemory(options.memory_bytes);
  const CompileResponse response = CompileForDevice(nvrtc, options.toolkit_root, request);
  _exit(answer.Send(response).ok() ? kAnswered : kNotSent);
}

std::optional<CompileResponse> DescribeDeath(int status, bool was_overdue) {
  if (WIFEXITED(status) && WEXITSTATUS(status) == kAnswered) return std::nullopt;
  if (was_overdue) return Death(worker::v1::COMPILE_STATUS_TIMED_OUT, "the compiler did not finish in time");
  if (WIFEXITED(status) && WEXITSTATUS(status) == kOverMemory) {
    return Death(worker::v1::COMPILE_STATUS_LIMIT_EXCEEDED, "the compiler took too much memory");
  }
  // No statement about the candidate: the client hears its socket close and knows that it is ours.
  if (WIFEXITED(status) && (WEXITSTATUS(status) == kNotConfined || WEXITSTATUS(status) == kNotSent))
    return std::nullopt;
  if (WIFSIGNALED(status)) {
    return Death(worker::v1::COMPILE_STATUS_CRASHED, absl::StrCat("the compiler was ended by signal ", WTERMSIG(status),
                                                                  " (", strsignal(WTERMSIG(status)), ")"));
  }
  return Death(worker::v1::COMPILE_STATUS_CRASHED,
               absl::StrCat("the compiler ended with exit code ", WEXITSTATUS(status)));
}

}  // namespace cudaperf::sandbox
