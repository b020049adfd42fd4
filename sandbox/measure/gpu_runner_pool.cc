#include "sandbox/measure/gpu_runner_pool.h"

#include <algorithm>
#include <thread>
#include <utility>

namespace cudaperf::sandbox {
namespace {

// A context with its profiler, roughly: to size the pool, not to bound anything.
constexpr int64_t kRunnerBytes = int64_t{700} << 20;
constexpr int64_t kMostSpares = 12;

}  // namespace

GpuRunnerPool::GpuRunnerPool(WorkerSettings settings, GpuDevice* gpu) : settings_(std::move(settings)), gpu_(gpu) {
  const absl::StatusOr<int64_t> free_bytes = gpu_->FreeBytes();
  const int64_t by_memory = free_bytes.ok() ? *free_bytes / 4 / kRunnerBytes : 1;
  const int64_t by_cores = std::thread::hardware_concurrency() * 3 / 4;
  spare_count_ = static_cast<size_t>(std::clamp<int64_t>(std::min(by_memory, by_cores), 1, kMostSpares));
}

absl::Status GpuRunnerPool::Refill() {
  std::erase_if(spares_, [](const auto& spare) { return !spare->IsAlive(); });
  while (spares_.size() < spare_count_) {
    absl::StatusOr<std::unique_ptr<GpuRunnerSession>> runner =
        GpuRunnerSession::Start(settings_, gpu_, profiler_image_);
    if (!runner.ok()) return runner.status();
    spares_.push_back(*std::move(runner));
  }
  return absl::OkStatus();
}

absl::Status GpuRunnerPool::WarmUp(Interruption* interruption) {
  absl::StatusOr<std::unique_ptr<GpuRunnerSession>> runner = GpuRunnerSession::Start(settings_, gpu_, "");
  if (!runner.ok()) return runner.status();
  if (absl::Status status = (*runner)->AwaitReady(interruption); !status.ok()) return status;
  if ((*runner)->ready().has_profiler_image())
    profiler_image_ = (*runner)->ready().profiler_image().SerializeAsString();
  spares_.push_back(*std::move(runner));
  return Refill();
}

absl::StatusOr<std::unique_ptr<GpuRunnerSession>> GpuRunnerPool::Take(Interruption* interruption) {
  if (absl::Status status = Refill(); !status.ok()) return status;
  std::unique_ptr<GpuRunnerSession> runner = std::move(spares_.front());
  spares_.pop_front();
  if (absl::Status status = runner->AwaitReady(interruption); !status.ok()) return status;
  return runner;
}

}  // namespace cudaperf::sandbox
