#include "sandbox/judge/device_only_session.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/duration.h"

namespace cudaperf::sandbox {
namespace {

using worker::v1::LaunchRequest;

template <typename T>
std::string BytesOf(T value) {
  return std::string(reinterpret_cast<const char*>(&value), sizeof(value));
}

}  // namespace

absl::StatusOr<std::unique_ptr<ProgramSession>> DeviceOnlySession::Start(ExaminedDevice device,
                                                                         const worker::v1::ExamineRequest& request,
                                                                         const std::vector<LaunchPlan>& plans) {
  std::unique_ptr<DeviceOnlySession> session(new DeviceOnlySession(std::move(device), request, plans));
  const absl::StatusOr<worker::v1::LoadModuleResponse> loaded =
      session->device_.session().Load(request.program().ptx());
  if (!loaded.ok()) return loaded.status();
  session->module_ = loaded->module();
  session->load_error_ = loaded->error();
  session->load_error_kind_ = loaded->error_kind();
  return session;
}

absl::Status DeviceOnlySession::BeginCase(int case_index, const std::vector<ParameterLayout>& layout,
                                          const CallBuffers& buffers) {
  plan_ = &plans_[case_index];
  return device_.Attach(layout, buffers);
}

absl::Status DeviceOnlySession::AllocateScratch(CallOutcome& outcome) {
  scratch_.clear();
  for (int64_t size : plan_->scratch_bytes) {
    if (size == 0) {
      scratch_.push_back(0);
      continue;
    }
    const absl::StatusOr<worker::v1::AllocateResponse> memory = device_.session().Allocate(size);
    if (!memory.ok()) return memory.status();
    if (memory->error() != worker::v1::DEVICE_ERROR_NONE) {
      outcome.rejection = absl::StrCat("scratch buffers need more device memory than the ",
                                       request_.device_memory_limit_bytes(), " bytes that a candidate may use");
      return absl::OkStatus();
    }
    scratch_.push_back(memory->address());
  }
  return absl::OkStatus();
}

LaunchRequest DeviceOnlySession::Arguments(const BoundLaunch& launch, const CaseDraw& draw,
                                           CallOutcome& outcome) const {
  LaunchRequest request;
  request.set_module(module_);
  request.set_kernel(launch.kernel);
  request.mutable_grid()->Add(launch.grid.begin(), launch.grid.end());
  request.mutable_block()->Add(launch.block.begin(), launch.block.end());
  request.set_dynamic_shared_bytes(launch.dynamic_shared_bytes);
  for (const BoundArgument& argument : launch.arguments) {
    switch (argument.source) {
      case BoundArgument::Source::kBuffer:
        request.add_arguments(device_.AddressBytes(argument.index));
        break;
      case BoundArgument::Source::kScratch:
        request.add_arguments(BytesOf(scratch_[argument.index]));
        break;
      case BoundArgument::Source::kValue:
        request.add_arguments(argument.bytes);
        break;
      case BoundArgument::Source::kScalar: {
        absl::StatusOr<std::string> value =
            ConvertScalar(draw.inputs[argument.index], draw.layout[argument.index].dtype, argument.type);
        if (value.ok()) {
          request.add_arguments(*std::move(value));
        } else {
          outcome.rejection =
              absl::StrCat("kernel ", launch.kernel, ": ", request_.task().parameters(argument.index).name(), " = ",
                           value.status().message());
        }
        break;
      }
    }
  }
  return request;
}

absl::Status DeviceOnlySession::LaunchAll(const CaseDraw& draw, absl::Time deadline, CallOutcome& outcome) {
  for (const BoundLaunch& launch : plan_->launches) {
    const LaunchRequest request = Arguments(launch, draw, outcome);
    if (!outcome.rejection.empty()) return absl::OkStatus();
    const absl::StatusOr<worker::v1::LaunchResponse> launched = device_.session().Launch(request, deadline);
    if (!launched.ok()) return launched.status();
    if (launched->error() == worker::v1::DEVICE_ERROR_NONE) continue;
    // The launch was checked against everything known before: what is left is the device's own to say.
    if (launched->error() == worker::v1::DEVICE_ERROR_BAD_LAUNCH) outcome.rejection = launched->detail();
    return absl::OkStatus();
  }
  return absl::OkStatus();
}

absl::StatusOr<CallOutcome> DeviceOnlySession::Call(const CaseDraw& draw, int call) {
  CallOutcome outcome;
  if (!load_error_.empty()) {
    outcome.status = load_error_kind_ == worker::v1::DEVICE_ERROR_OUT_OF_MEMORY ? reward::v1::CASE_STATUS_MEMORY_FAULT
                                                                                : reward::v1::CASE_STATUS_NOT_SCREENED;
    outcome.detail = load_error_;
    return outcome;
  }
  if (absl::Status status = device_.session().Reset(/*warp_schedule=*/call); !status.ok()) return status;
  if (absl::Status status = AllocateScratch(outcome); !status.ok()) return status;
  if (!outcome.rejection.empty()) return outcome;

  const absl::Duration limit = proto::FromProto(request_.case_time_limit());
  const absl::Time start = absl::Now();
  const absl::Status launched = LaunchAll(draw, start + limit, outcome);
  if (absl::IsDeadlineExceeded(launched)) {
    outcome.status = reward::v1::CASE_STATUS_TIMED_OUT;
    outcome.detail = absl::StrCat("the kernels did not end within ", absl::FormatDuration(limit));
    return outcome;
  }
  if (!launched.ok()) return launched;
  if (!outcome.rejection.empty()) return outcome;
  outcome.duration = absl::Now() - start;
  absl::StatusOr<worker::v1::CollectResponse> collected = device_.session().Collect(absl::Now() + limit);
  if (!collected.ok()) return collected.status();
  const absl::Duration duration = outcome.duration;
  outcome = OutcomeOf(*std::move(collected));
  outcome.duration = duration;
  return outcome;
}

}  // namespace cudaperf::sandbox
