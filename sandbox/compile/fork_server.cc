#include "sandbox/compile/fork_server.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "cudaperf/worker/v1/compile.pb.h"
#include "sandbox/compile/compile_child.h"
#include "sandbox/compile/compile_time.h"
#include "sandbox/compile/device_compile.h"
#include "sandbox/compile/warm_pages.h"

namespace cudaperf::sandbox {
namespace {

using worker::v1::CompileRequest;
using worker::v1::CompileResponse;

// A compile in progress.
struct Child {
  pid_t pid = -1;
  // Kept to hear the client hang up, and to answer when the child cannot.
  FrameChannel channel;
  ChildTimeLimits limits;
  absl::Time deadline;
  bool is_overdue = false;
  // Nobody waits for the answer any more.
  bool is_abandoned = false;
};

// A child that waits for its order.
struct Spare {
  pid_t pid = -1;
  int orders_fd = -1;
};

// Compiled once before serving: what candidates include most.
constexpr char kWarmUpSource[] = R"(
#include <cuda_fp16.h>
#include <cooperative_groups.h>
__global__ void warm_up(int n, float a, const float* x, float* y, __half* h, double* d) {
  __shared__ float tile[256];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = i < n ? x[i] : 0.0f;
  __syncthreads();
  for (int step = 128; step > 0; step /= 2) {
    if (threadIdx.x < step) tile[threadIdx.x] += tile[threadIdx.x + step];
    __syncthreads();
  }
  if (i < n) y[i] = a * tile[0] + expf(x[i]) + __half2float(h[i]) + (float)sqrt(d[i]);
}
)";

class ForkServer {
 public:
  ForkServer(FrameChannel channel, const ForkServerOptions& options, NvrtcLibrary nvrtc)
      : channel_(std::move(channel)), options_(options), nvrtc_(nvrtc) {}

  int Serve() {
    sigset_t child_signal;
    sigemptyset(&child_signal);
    sigaddset(&child_signal, SIGCHLD);
    sigprocmask(SIG_BLOCK, &child_signal, nullptr);
    deaths_ = UniqueFd(signalfd(-1, &child_signal, SFD_CLOEXEC | SFD_NONBLOCK));
    MakeSpare();
    if (!channel_.Send(CompileResponse()).ok()) return 1;
    while (true) {
      const std::vector<pollfd> ready = Poll();
      // Deaths first: their slots are what `ready` speaks of.
      KillAbandonedAndOverdue(ready);
      Reap();
      if (ready[0].revents != 0 && !Accept()) return 0;
    }
  }

 private:
  std::vector<pollfd> Poll() const {
    std::vector<pollfd> entries = {{channel_.fd(), POLLIN, 0}, {deaths_.get(), POLLIN, 0}};
    absl::Time wake = absl::InfiniteFuture();
    for (const Child& child : children_) {
      entries.push_back({child.channel.fd(), POLLRDHUP, 0});
      if (!child.is_overdue) wake = std::min(wake, child.deadline);
    }
    const int64_t wait = wake == absl::InfiniteFuture()
                             ? -1
                             : std::clamp<int64_t>(absl::ToInt64Milliseconds(wake - absl::Now()) + 1, 0, 1 << 30);
    if (poll(entries.data(), entries.size(), static_cast<int>(wait)) < 0) {
      for (pollfd& entry : entries) entry.revents = 0;
    }
    return entries;
  }

  void KillAbandonedAndOverdue(const std::vector<pollfd>& ready) {
    for (size_t i = 0; i < children_.size(); ++i) {
      Child& child = children_[i];
      if (absl::Now() >= child.deadline) child.is_overdue = true;
      if (ready[i + 2].revents != 0) child.is_abandoned = true;
      if (child.is_abandoned || child.is_overdue) kill(child.pid, SIGKILL);
    }
  }

  void Reap() {
    signalfd_siginfo ignored;
    while (read(deaths_.get(), &ignored, sizeof(ignored)) > 0) {
    }
    int status;
    pid_t pid;
    while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
      if (spare_ && spare_->pid == pid) {
        close(spare_->orders_fd);
        spare_.reset();
      }
      const auto child = std::find_if(children_.begin(), children_.end(), [&](const Child& c) { return c.pid == pid; });
      if (child == children_.end()) continue;
      const std::optional<CompileResponse> end = DescribeDeath(status, child->is_overdue, child->limits);
      if (end && !child->is_abandoned) {
        // A client that is gone does not matter.
        child->channel.Send(*end, {}, absl::Now() + absl::Seconds(1)).IgnoreError();
      }
      children_.erase(child);
    }
  }

  // False when the client is gone for good.
  bool Accept() {
    absl::StatusOr<Frame> frame = channel_.Receive();
    CompileRequest request;
    if (!frame.ok() || frame->fds.size() != 1 || !request.ParseFromString(frame->bytes)) return false;
    // Once more if the spare was dead. Failing twice is our fault; the client hears the socket close.
    for (int attempt = 0; attempt < 2; ++attempt) {
      if (!spare_) MakeSpare();
      if (!spare_) break;
      const Spare spare = *std::exchange(spare_, std::nullopt);
      FrameChannel orders{UniqueFd(spare.orders_fd)};
      if (!orders.Send(request, {frame->fds[0].get()}, absl::Now() + absl::Seconds(10)).ok()) continue;
      children_.push_back({.pid = spare.pid,
                           .channel = FrameChannel(std::move(frame->fds[0])),
                           .limits = {.cpu_time = CpuTimeLimit(request), .wall_time = WallTimeLimit(request)},
                           .deadline = absl::Now() + WallTimeLimit(request)});
      break;
    }
    MakeSpare();
    return true;
  }

  void MakeSpare() {
    absl::StatusOr<std::pair<FrameChannel, FrameChannel>> ends = FrameChannel::CreatePair();
    if (spare_ || !ends.ok()) return;
    const std::vector<WarmRange> warm_ranges = FindWarmRanges();
    const pid_t pid = fork();
    if (pid == 0) {
      RunCompileChild(nvrtc_, {options_.toolkit_root, options_.memory_bytes, warm_ranges},
                      ends->second.ReleaseSocket());
    }
    if (pid > 0) spare_ = {pid, ends->first.ReleaseSocket().Release()};
  }

  FrameChannel channel_;
  const ForkServerOptions& options_;
  NvrtcLibrary nvrtc_;
  UniqueFd deaths_;
  std::optional<Spare> spare_;
  std::vector<Child> children_;
};

}  // namespace

int RunForkServer(FrameChannel channel, const ForkServerOptions& options) {
  absl::StatusOr<NvrtcLibrary> nvrtc = NvrtcLibrary::Open(options.toolkit_root);
  CompileResponse refusal;
  refusal.set_status(worker::v1::COMPILE_STATUS_CRASHED);
  if (!nvrtc.ok()) {
    refusal.set_detail(std::string(nvrtc.status().message()));
    channel.Send(refusal).IgnoreError();
    return 1;
  }
  CompileRequest warm_up;
  warm_up.set_source(kWarmUpSource);
  warm_up.set_architecture(options.architecture);
  const CompileResponse warm = CompileForDevice(*nvrtc, options.toolkit_root, warm_up);
  if (warm.status() != worker::v1::COMPILE_STATUS_SUCCEEDED) {
    refusal.set_detail(absl::StrCat("NVRTC does not compile a plain kernel: ", warm.detail(), " ", warm.log()));
    channel.Send(refusal).IgnoreError();
    return 1;
  }
  return ForkServer(std::move(channel), options, *nvrtc).Serve();
}

}  // namespace cudaperf::sandbox
