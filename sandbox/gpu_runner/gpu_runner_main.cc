// cudaperf-gpu-runner TOOLKIT [counters]: holds a CUDA context and one candidate. Descriptor 3 is the channel to the
// judge; descriptor 4, if there, a file with what profiling needs to know of the device. The only visible GPU is its
// GPU. Started, in a jail, by the judge.
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <memory>
#include <optional>
#include <utility>

#include "sandbox/gpu_runner/cupti_recorder.h"
#include "sandbox/gpu_runner/gpu_runner_loop.h"

namespace {

constexpr int kImageFd = 4;

std::optional<cudaperf::worker::v1::ProfilerImage> ReadProfilerImage() {
  cudaperf::worker::v1::ProfilerImage image;
  if (fcntl(kImageFd, F_GETFD) < 0 || !image.ParseFromFileDescriptor(kImageFd)) return std::nullopt;
  close(kImageFd);
  return image;
}

}  // namespace

int main(int argc, char** argv) {
  using cudaperf::sandbox::FrameChannel;
  using cudaperf::sandbox::GpuContext;
  using cudaperf::sandbox::UniqueFd;
  constexpr int kJudgeFd = 3;
  if (argc < 2 || fcntl(kJudgeFd, F_SETFD, FD_CLOEXEC) != 0) {
    std::fprintf(stderr, "cudaperf-gpu-runner: is started by the judge\n");
    return 2;
  }
  signal(SIGPIPE, SIG_IGN);
  // First of all: later the driver has files of its own under that number.
  std::optional<cudaperf::worker::v1::ProfilerImage> image = ReadProfilerImage();
  using Counting = cudaperf::sandbox::CuptiRecorder::Counting;
  const Counting counting = argc > 2 ? Counting::kReady : Counting::kNone;
  FrameChannel judge{UniqueFd(kJudgeFd)};
  cudaperf::worker::v1::GpuRunnerResponse ready;
  absl::StatusOr<std::unique_ptr<GpuContext>> gpu = GpuContext::Create();
  if (!gpu.ok()) {
    ready.mutable_ready()->set_error(std::string(gpu.status().message()));
    (void)judge.Send(ready);
    return 1;
  }
  const auto recorder =
      cudaperf::sandbox::CuptiRecorder::Create(gpu->get(), argv[1], std::move(image), counting, ready.mutable_ready());
  if (!judge.Send(ready).ok()) return 1;
  const absl::Status end = cudaperf::sandbox::GpuRunnerLoop(&judge, gpu->get(), recorder.get()).Run();
  // Nothing of the candidate runs at exit.
  _exit(end.ok() ? 0 : 1);
}
