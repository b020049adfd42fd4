#include "sandbox/measure/gpu_runner_session.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/time/clock.h"
#include "sandbox/judge/shared_buffer.h"

namespace cudaperf::sandbox {
namespace {

using worker::v1::GpuRunnerRequest;
using worker::v1::GpuRunnerResponse;

constexpr int kChannelFd = 3;
constexpr int kImageFd = 4;
// Records and counters of thousands of launches.
constexpr int64_t kMaxAnswerBytes = int64_t{32} << 20;
// From an answer's first byte to its last.
constexpr absl::Duration kFrameLimit = absl::Seconds(2);
constexpr absl::Duration kWarmUpLimit = absl::Seconds(60);
// Everything in which nothing of the candidate is asked to run.
constexpr absl::Duration kServiceLimit = absl::Seconds(5);
constexpr absl::Duration kLifetime = absl::Hours(12);
constexpr absl::Duration kEndLimit = absl::Seconds(2);
// How often the device's memory is looked at while a launcher runs.
constexpr absl::Duration kMemoryInterval = absl::Milliseconds(20);
// What the driver itself takes for a context as it grows: local memory, printf and heap.
constexpr int64_t kContextBytes = int64_t{1} << 30;
// Of the driver, over what host code may use.
constexpr int64_t kDriverMemoryBytes = int64_t{4} << 30;

}  // namespace

GpuRunnerSession::GpuRunnerSession(std::unique_ptr<JailedProcess> process, FrameChannel channel, GpuDevice* gpu)
    : process_(std::move(process)), channel_(std::move(channel)), gpu_(gpu) {}

absl::StatusOr<std::unique_ptr<GpuRunnerSession>> GpuRunnerSession::Start(const WorkerSettings& settings,
                                                                          GpuDevice* gpu,
                                                                          const std::string& profiler_image) {
  absl::StatusOr<std::pair<FrameChannel, FrameChannel>> channel = FrameChannel::CreatePair();
  if (!channel.ok()) return channel.status();
  JailOptions jail = WorkerJail(settings, "cudaperf-gpu-runner");
  jail.argv.push_back(settings.toolkit_root);
  if (settings.profile_level > reward::v1::PROFILE_LEVEL_NONE) jail.argv.push_back("counters");
  jail.descriptors = {{channel->second.fd(), kChannelFd}};
  UniqueFd image;
  if (!profiler_image.empty()) {
    absl::StatusOr<UniqueFd> sealed = SealedContent(profiler_image);
    if (!sealed.ok()) return sealed.status();
    image = *std::move(sealed);
    lseek(image.get(), 0, SEEK_SET);
    jail.descriptors.emplace_back(image.get(), kImageFd);
  }
  jail.device_paths = gpu->device_paths();
  std::vector<std::string> libraries = {absl::StrCat(settings.toolkit_root, "/lib64"),
                                        absl::StrCat(settings.toolkit_root, "/extras/CUPTI/lib64"),
                                        absl::StrCat(settings.toolkit_root, "/lib"), gpu->driver_folder()};
  jail.readable_paths.push_back(settings.toolkit_root);
  jail.readable_paths.push_back(gpu->driver_folder());
  jail.environment = {absl::StrCat("CUDA_VISIBLE_DEVICES=", gpu->visible_devices()), "CUDA_CACHE_DISABLE=1",
                      absl::StrCat("LD_LIBRARY_PATH=", absl::StrJoin(libraries, ":"))};
  jail.limits.wall_time = kLifetime;
  jail.limits.memory_bytes += kDriverMemoryBytes;
  jail.limits.process_count = 64;
  absl::StatusOr<std::unique_ptr<JailedProcess>> process = JailedProcess::Start(jail);
  if (!process.ok()) return process.status();
  return std::unique_ptr<GpuRunnerSession>(
      new GpuRunnerSession(*std::move(process), FrameChannel(channel->first.ReleaseSocket(), kMaxAnswerBytes), gpu));
}

absl::Status GpuRunnerSession::AwaitReady(Interruption* interruption) {
  interruption_ = interruption;
  if (is_ready_) return absl::OkStatus();
  const absl::Time deadline = absl::Now() + kWarmUpLimit;
  if (absl::Status status = interruption_->AwaitReadable(channel_.fd(), deadline); !status.ok()) {
    return absl::IsDeadlineExceeded(status) ? absl::UnavailableError("a GPU runner does not get warm") : status;
  }
  auto answer = channel_.ReceiveMessage<GpuRunnerResponse>(absl::Now() + kFrameLimit);
  if (!answer.ok())
    return absl::UnavailableError(
        absl::StrCat("a GPU runner ", DescribeEnd(End(EndKind::kHasHungUp)), " before it was warm"));
  ready_ = answer->ready();
  if (!ready_.error().empty())
    return absl::UnavailableError(absl::StrCat("a GPU runner cannot serve: ", ready_.error()));
  is_ready_ = true;
  return absl::OkStatus();
}

void GpuRunnerSession::Serve(Interruption* interruption, int64_t device_memory_limit_bytes) {
  interruption_ = interruption;
  memory_limit_bytes_ = device_memory_limit_bytes;
  const absl::StatusOr<int64_t> free_bytes = gpu_->FreeBytes();
  free_bytes_before_ = free_bytes.ok() ? *free_bytes : 0;
}

absl::Status GpuRunnerSession::CheckMemory() const {
  if (memory_limit_bytes_ == 0) return absl::OkStatus();
  const absl::StatusOr<int64_t> free_bytes = gpu_->FreeBytes();
  if (!free_bytes.ok()) return free_bytes.status();
  if (free_bytes_before_ - *free_bytes <= memory_limit_bytes_ + kContextBytes) return absl::OkStatus();
  return absl::ResourceExhaustedError(
      absl::StrCat("it took more device memory than the ", memory_limit_bytes_, " bytes that a candidate may use"));
}

absl::Status GpuRunnerSession::AwaitAnswer(absl::Time deadline) {
  while (true) {
    const absl::Time next = std::min(deadline, absl::Now() + kMemoryInterval);
    const absl::Status status = interruption_->AwaitReadable(channel_.fd(), next);
    if (!absl::IsDeadlineExceeded(status)) return status;
    if (absl::Status memory = CheckMemory(); !memory.ok()) return memory;
    if (absl::Now() >= deadline) return status;
  }
}

absl::StatusOr<GpuRunnerResponse> GpuRunnerSession::Converse(const GpuRunnerRequest& request, absl::Time deadline,
                                                             absl::Span<const int> fds) {
  absl::Status status = channel_.Send(request, fds, deadline);
  if (absl::IsUnavailable(status)) return absl::AbortedError("the GPU runner died");
  if (status.ok()) status = AwaitAnswer(deadline);
  if (!status.ok()) return status;
  auto response = channel_.ReceiveMessage<GpuRunnerResponse>(absl::Now() + kFrameLimit);
  if (!response.ok()) return absl::AbortedError("the GPU runner died");
  if (!response->refusal().empty())
    return absl::InternalError(absl::StrCat("the GPU runner refused: ", response->refusal()));
  // The kinds of a request and of its answer have the same order, map first.
  if (static_cast<int>(response->kind_case()) != static_cast<int>(request.kind_case()) + 1) {
    return absl::AbortedError("the GPU runner answered another request");
  }
  return response;
}

absl::StatusOr<worker::v1::GpuMapResponse> GpuRunnerSession::Map(const worker::v1::GpuMapRequest& map,
                                                                 absl::Span<const int> fds) {
  GpuRunnerRequest request;
  *request.mutable_map() = map;
  absl::StatusOr<GpuRunnerResponse> response = Converse(request, absl::Now() + kServiceLimit, fds);
  if (!response.ok()) return response.status();
  return std::move(*response->mutable_map());
}

absl::Status GpuRunnerSession::UnmapAll() {
  GpuRunnerRequest request;
  request.mutable_unmap();
  return Converse(request, absl::Now() + kServiceLimit).status();
}

absl::StatusOr<worker::v1::GpuLoadResponse> GpuRunnerSession::Load(const worker::v1::GpuLoadRequest& load,
                                                                   int shared_object, absl::Time deadline) {
  GpuRunnerRequest request;
  *request.mutable_load() = load;
  const auto fds = shared_object < 0 ? absl::Span<const int>() : absl::MakeConstSpan(&shared_object, 1);
  absl::StatusOr<GpuRunnerResponse> response = Converse(request, deadline, fds);
  if (!response.ok()) return response.status();
  return std::move(*response->mutable_load());
}

absl::StatusOr<worker::v1::GpuCallResponse> GpuRunnerSession::Call(const worker::v1::GpuCallRequest& call,
                                                                   absl::Time deadline) {
  GpuRunnerRequest request;
  *request.mutable_call() = call;
  absl::StatusOr<GpuRunnerResponse> response = Converse(request, deadline);
  if (!response.ok()) return response.status();
  return std::move(*response->mutable_call());
}

absl::StatusOr<worker::v1::GpuRecordsResponse> GpuRunnerSession::TakeRecords() {
  GpuRunnerRequest request;
  request.mutable_records();
  absl::StatusOr<GpuRunnerResponse> response = Converse(request, absl::Now() + kServiceLimit);
  if (!response.ok()) return response.status();
  return std::move(*response->mutable_records());
}

absl::StatusOr<worker::v1::GpuProfileResponse> GpuRunnerSession::Profile(const worker::v1::GpuProfileRequest& profile,
                                                                         absl::Time deadline) {
  GpuRunnerRequest request;
  *request.mutable_profile() = profile;
  absl::StatusOr<GpuRunnerResponse> response = Converse(request, deadline);
  if (!response.ok()) return response.status();
  return std::move(*response->mutable_profile());
}

bool GpuRunnerSession::IsAlive() const {
  if (end_.has_value()) return false;
  pollfd entry{.fd = process_->end_fd(), .events = POLLIN, .revents = 0};
  return poll(&entry, 1, 0) == 0;
}

ProcessEnd GpuRunnerSession::End(EndKind kind) {
  if (!end_.has_value()) {
    // One that closed its channel is about to be reaped.
    const absl::Duration limit = kind == EndKind::kHasHungUp ? kEndLimit : absl::ZeroDuration();
    const absl::StatusOr<ProcessEnd> end = process_->Wait(absl::Now() + limit);
    end_ = end.ok() ? *end : process_->Kill();
  }
  return *end_;
}

}  // namespace cudaperf::sandbox
