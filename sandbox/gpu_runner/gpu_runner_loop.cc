#include "sandbox/gpu_runner/gpu_runner_loop.h"

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"

namespace cudaperf::sandbox {

using worker::v1::GpuCallResponse;
using worker::v1::GpuRunnerRequest;
using worker::v1::GpuRunnerResponse;

absl::Status GpuRunnerLoop::Run() {
  while (true) {
    absl::StatusOr<Frame> frame = judge_->Receive();
    if (absl::IsUnavailable(frame.status())) return absl::OkStatus();
    if (!frame.ok()) return frame.status();
    GpuRunnerRequest request;
    if (!request.ParseFromString(frame->bytes)) return absl::DataLossError("a request that does not parse");
    const GpuRunnerResponse response = Answer(request, frame->fds);
    const absl::Status sent = judge_->Send(response);
    if (absl::IsUnavailable(sent)) return absl::OkStatus();
    if (!sent.ok()) return sent;
  }
}

GpuRunnerResponse GpuRunnerLoop::Answer(const GpuRunnerRequest& request, const std::vector<UniqueFd>& fds) {
  GpuRunnerResponse response;
  switch (request.kind_case()) {
    case GpuRunnerRequest::kMap: {
      const absl::StatusOr<std::vector<uint64_t>> addresses = memory_.Map(request.map(), fds);
      if (addresses.ok()) {
        response.mutable_map()->mutable_addresses()->Add(addresses->begin(), addresses->end());
      } else {
        response.set_refusal(std::string(addresses.status().message()));
      }
      break;
    }
    case GpuRunnerRequest::kUnmap:
      memory_.UnmapAll();
      response.mutable_unmap();
      break;
    case GpuRunnerRequest::kLoad:
      *response.mutable_load() = Load(request.load(), fds);
      break;
    case GpuRunnerRequest::kCall:
      *response.mutable_call() = Call(request.call());
      break;
    case GpuRunnerRequest::kRecords:
      *response.mutable_records() = recorder_->TakeRecords();
      break;
    case GpuRunnerRequest::kProfile:
      *response.mutable_profile() = Profile(request.profile());
      break;
    case GpuRunnerRequest::KIND_NOT_SET:
      response.set_refusal("a request without a kind");
      break;
  }
  return response;
}

worker::v1::GpuLoadResponse GpuRunnerLoop::Load(const worker::v1::GpuLoadRequest& request,
                                                const std::vector<UniqueFd>& fds) {
  worker::v1::GpuLoadResponse response;
  const Driver& driver = gpu_->driver();
  // Bounds that code of the candidate can only lift for itself, not for the judge's own accounts.
  driver.CtxSetLimit(CU_LIMIT_PERSISTING_L2_CACHE_SIZE, 0);
  driver.CtxSetLimit(CU_LIMIT_MALLOC_HEAP_SIZE, static_cast<size_t>(request.device_heap_bytes()));
  absl::StatusOr<std::unique_ptr<GpuProgram>> program =
      fds.empty() ? LoadCubin(gpu_, request.cubin())
                  : LoadLauncher(gpu_, absl::StrCat("/proc/self/fd/", fds.front().get()));
  if (program.ok()) {
    program_ = *std::move(program);
  } else {
    response.set_error(std::string(program.status().message()));
  }
  return response;
}

GpuCallResponse GpuRunnerLoop::Call(const worker::v1::GpuCallRequest& request) {
  if (request.recorded()) recorder_->Begin();
  GpuCallResponse response;
  if (program_ == nullptr || request.nothing()) {
    response = CallFailure(gpu_->driver(), gpu_->LaunchNothing(), "cuLaunchKernel");
    if (response.error() == 0)
      response = CallFailure(gpu_->driver(), gpu_->driver().CtxSynchronize(), "cuCtxSynchronize");
  } else {
    response = program_->Call(request);
  }
  return response;
}

worker::v1::GpuProfileResponse GpuRunnerLoop::Profile(const worker::v1::GpuProfileRequest& request) {
  return recorder_->Profile(request, [&] { return Call(request.call()); });
}

}  // namespace cudaperf::sandbox
