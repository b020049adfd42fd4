#include "sandbox/gpu_runner/cupti_recorder.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "sandbox/cupti/launch_description.h"
#include "sandbox/cupti/profiler_image.h"

namespace cudaperf::sandbox {
namespace {

// Of one call; the first ones are counted.
constexpr int kMostKernels = 64;

}  // namespace

std::unique_ptr<CuptiRecorder> CuptiRecorder::Create(GpuContext* gpu, const std::string& toolkit_root,
                                                     std::optional<worker::v1::ProfilerImage> image, Counting counting,
                                                     worker::v1::GpuReady* ready) {
  std::unique_ptr<CuptiRecorder> made(new CuptiRecorder(gpu));
  absl::StatusOr<std::unique_ptr<CuptiLibrary>> library = CuptiLibrary::Open(toolkit_root);
  if (!library.ok()) {
    made->counter_error_ = std::string(library.status().message());
    ready->set_activity_error(made->counter_error_);
    ready->set_counter_error(made->counter_error_);
    return made;
  }
  made->library_ = *std::move(library);
  // Before records: the two do not go together.
  if (counting == Counting::kReady) {
    made->counter_error_ = std::string(made->PrepareProfiler(std::move(image), ready).message());
  }
  ready->set_counter_error(made->counter_error_);
  absl::StatusOr<std::unique_ptr<ActivityRecorder>> recorder = ActivityRecorder::Start(made->library_.get());
  if (recorder.ok()) {
    made->recorder_ = *std::move(recorder);
  } else {
    ready->set_activity_error(std::string(recorder.status().message()));
  }
  return made;
}

absl::Status CuptiRecorder::PrepareProfiler(std::optional<worker::v1::ProfilerImage> image,
                                            worker::v1::GpuReady* ready) {
  if (!image.has_value()) {
    absl::StatusOr<worker::v1::ProfilerImage> made = MakeProfilerImage(*library_, gpu_->context(), gpu_->device());
    if (!made.ok()) return made.status();
    image = *std::move(made);
    *ready->mutable_profiler_image() = *image;
  }
  absl::StatusOr<std::unique_ptr<RangeProfiler>> profiler =
      RangeProfiler::Prepare(library_.get(), gpu_->context(), *std::move(image));
  if (!profiler.ok()) return profiler.status();
  profiler_ = *std::move(profiler);
  return absl::OkStatus();
}

void CuptiRecorder::Begin() {
  // What goes wrong shows as missing records.
  if (recorder_ != nullptr) (void)recorder_->Begin();
}

worker::v1::GpuRecordsResponse CuptiRecorder::TakeRecords() {
  if (recorder_ == nullptr) return {};
  absl::StatusOr<worker::v1::GpuRecordsResponse> records = recorder_->End();
  return records.ok() ? *std::move(records) : worker::v1::GpuRecordsResponse();
}

worker::v1::GpuProfileResponse CuptiRecorder::Profile(const worker::v1::GpuProfileRequest& request,
                                                      const std::function<worker::v1::GpuCallResponse()>& call) {
  worker::v1::GpuProfileResponse response;
  response.set_counter_error(counter_error_);
  if (profiler_ == nullptr) return response;
  if (recorder_ != nullptr) (void)recorder_->Pause();
  // Replaying calls costs less for several kernels, and restores nothing in between.
  const bool replays_calls = request.repeatable() && request.kernel_count() > 1;
  const RangeProfiler::Options options = {
      .level = request.level(),
      .replay = replays_calls ? RangeProfiler::Replay::kCall : RangeProfiler::Replay::kKernel,
      .max_kernels = std::clamp(request.kernel_count(), 1, kMostKernels)};
  absl::StatusOr<KernelProfile> profile = profiler_->Profile(options, [&] {
    *response.mutable_call() = call();
    return response.call().error() == 0 ? absl::OkStatus() : absl::AbortedError(response.call().error_name());
  });
  if (recorder_ != nullptr) (void)recorder_->Resume();
  if (!profile.ok() || !profile->call.ok()) {
    response.set_counter_error(std::string((profile.ok() ? profile->call : profile.status()).message()));
    return response;
  }
  response.mutable_executions()->Add(profile->executions.begin(), profile->executions.end());
  response.set_pass_count(profile->pass_count);
  Describe(call, &response);
  return response;
}

void CuptiRecorder::Describe(const std::function<worker::v1::GpuCallResponse()>& call,
                             worker::v1::GpuProfileResponse* response) {
  Begin();
  if (call().error() != 0) return;
  const worker::v1::GpuRecordsResponse records = TakeRecords();
  std::vector<reward::v1::KernelExecution> executions(response->executions().begin(), response->executions().end());
  if (!DescribeLaunches(records, absl::MakeSpan(executions))) return;
  response->mutable_executions()->Assign(executions.begin(), executions.end());
}

}  // namespace cudaperf::sandbox
