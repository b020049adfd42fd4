#include "sandbox/measure/measured_program.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "sandbox/judge/shared_buffer.h"
#include "sandbox/measure/call_time.h"

namespace cudaperf::sandbox {
namespace {

constexpr int64_t kDeviceHeapBytes = int64_t{8} << 20;
// Loading is the driver's work, or constructors of the candidate.
constexpr absl::Duration kLoadLimit = absl::Seconds(30);

template <typename T>
std::string BytesOf(T value) {
  return std::string(reinterpret_cast<const char*>(&value), sizeof(value));
}

// What a kernel did to be stopped, in words that need no CUDA documentation.
std::string FaultText(const std::string& error_name) {
  if (error_name == "CUDA_ERROR_ILLEGAL_ADDRESS")
    return "a kernel accessed memory that is not its own, or wrote an input";
  if (error_name == "CUDA_ERROR_MISALIGNED_ADDRESS") return "a kernel accessed a misaligned address";
  if (error_name == "CUDA_ERROR_ASSERT") return "a device assertion failed";
  if (error_name == "CUDA_ERROR_HARDWARE_STACK_ERROR") return "a kernel overflowed its stack";
  if (error_name == "CUDA_ERROR_LAUNCH_FAILED") return "a kernel trapped, or broke a rule of the hardware";
  return "a kernel was stopped by the device";
}

}  // namespace

MeasuredProgram::MeasuredProgram(Options options) : options_(std::move(options)) {}

absl::StatusOr<MeasuredCall> MeasuredProgram::Start() {
  absl::StatusOr<std::unique_ptr<GpuRunnerSession>> runner = options_.pool->Take(options_.interruption);
  if (!runner.ok()) return runner.status();
  runner_ = *std::move(runner);
  runner_->Serve(options_.interruption, 0);
  return Load();
}

absl::StatusOr<absl::Duration> MeasuredProgram::CallNothing() {
  worker::v1::GpuCallRequest nothing;
  nothing.set_recorded(true);
  nothing.set_nothing(true);
  const absl::Time sent_at = absl::Now();
  const absl::StatusOr<worker::v1::GpuCallResponse> claim = runner_->Call(nothing, sent_at + options_.call_limit);
  if (!claim.ok()) return claim.status();
  if (absl::Status status = options_.gpu->Probe(); !status.ok()) return status;
  const absl::Duration time = absl::Now() - sent_at;
  if (claim->error() != 0) {
    return absl::UnavailableError(absl::StrCat("a warm GPU runner failed: ", claim->error_name()));
  }
  if (absl::Status status = runner_->TakeRecords().status(); !status.ok()) return status;
  return time;
}

absl::StatusOr<MeasuredCall> MeasuredProgram::Load() {
  worker::v1::GpuLoadRequest load;
  load.set_device_heap_bytes(kDeviceHeapBytes);
  UniqueFd object;
  if (is_launcher()) {
    absl::StatusOr<UniqueFd> sealed = SealedContent(options_.program->program().shared_object());
    if (!sealed.ok()) return sealed.status();
    object = *std::move(sealed);
  } else {
    load.set_cubin(options_.program->program().cubin());
  }
  const absl::StatusOr<worker::v1::GpuLoadResponse> loaded =
      runner_->Load(load, object.get(), absl::Now() + kLoadLimit);
  if (!loaded.ok()) return EndedBy(loaded.status());
  MeasuredCall call;
  if (!loaded->error().empty()) {
    call.rejection = absl::StrCat(is_launcher() ? "the program cannot be loaded: " : "the kernels cannot be loaded: ",
                                  loaded->error());
  }
  return call;
}

absl::StatusOr<std::vector<int64_t>> MeasuredProgram::ScratchBytes(const reward::v1::Case& test_case) {
  plan_.reset();
  if (is_launcher()) return std::vector<int64_t>();
  LaunchDescription description;
  description.launches.assign(options_.program->launches().begin(), options_.program->launches().end());
  description.scratch.assign(options_.program->scratch().begin(), options_.program->scratch().end());
  const std::vector<reward::v1::KernelResources> kernels(options_.program->kernels().begin(),
                                                         options_.program->kernels().end());
  absl::StatusOr<LaunchPlan> plan = BindLaunches(*options_.task, test_case, description, kernels);
  if (!plan.ok()) return plan.status();
  plan_ = *std::move(plan);
  return plan_->scratch_bytes;
}

absl::Status MeasuredProgram::BeginCase(CaseMemory* memory) {
  memory_ = memory;
  std::vector<int> fds;
  const worker::v1::GpuMapRequest request = memory->MapRequest(fds);
  const absl::StatusOr<worker::v1::GpuMapResponse> mapped = runner_->Map(request, fds);
  if (!mapped.ok()) return mapped.status();
  if (absl::Status status = memory->Bind(*mapped); !status.ok()) return status;
  // From here on, what is taken is the program's.
  runner_->Serve(options_.interruption, is_launcher() ? options_.device_memory_limit_bytes : 0);
  return absl::OkStatus();
}

std::string MeasuredProgram::ParameterBytes(int index, const std::vector<std::string>& scalars) const {
  return memory_->layout()[index].is_buffer ? BytesOf(memory_->runner_address(index)) : scalars[index];
}

absl::StatusOr<std::string> MeasuredProgram::ArgumentBytes(const BoundArgument& argument,
                                                           const std::vector<std::string>& scalars) const {
  switch (argument.source) {
    case BoundArgument::Source::kBuffer:
      return ParameterBytes(argument.index, scalars);
    case BoundArgument::Source::kScratch:
      return BytesOf(memory_->scratch_address(argument.index));
    case BoundArgument::Source::kValue:
      return argument.bytes;
    case BoundArgument::Source::kScalar:
      break;
  }
  return ConvertScalar(scalars[argument.index], memory_->layout()[argument.index].dtype, argument.type);
}

worker::v1::GpuCallRequest MeasuredProgram::CallRequest(const std::vector<std::string>& scalars,
                                                        std::string* rejection) const {
  worker::v1::GpuCallRequest request;
  request.set_recorded(true);
  if (is_launcher()) {
    for (int i = 0; i < options_.task->parameters_size(); ++i) {
      request.add_arguments()->set_value(ParameterBytes(i, scalars));
    }
    return request;
  }
  for (const BoundLaunch& bound : plan_->launches) {
    worker::v1::GpuLaunch* launch = request.add_launches();
    launch->set_kernel(bound.kernel);
    launch->mutable_grid()->Add(bound.grid.begin(), bound.grid.end());
    launch->mutable_block()->Add(bound.block.begin(), bound.block.end());
    launch->set_dynamic_shared_bytes(bound.dynamic_shared_bytes);
    for (const BoundArgument& argument : bound.arguments) {
      absl::StatusOr<std::string> bytes = ArgumentBytes(argument, scalars);
      if (!bytes.ok()) {
        *rejection = absl::StrCat("kernel ", bound.kernel, ": ", options_.task->parameters(argument.index).name(),
                                  " = ", bytes.status().message());
        return request;
      }
      launch->add_arguments(*std::move(bytes));
    }
  }
  return request;
}

absl::StatusOr<MeasuredCall> MeasuredProgram::Call(const std::vector<std::string>& scalars, absl::Duration idle) {
  MeasuredCall call;
  const worker::v1::GpuCallRequest request = CallRequest(scalars, &call.rejection);
  if (!call.rejection.empty()) return call;
  const absl::Time sent_at = absl::Now();
  const absl::StatusOr<worker::v1::GpuCallResponse> claim = runner_->Call(request, sent_at + options_.call_limit);
  if (!claim.ok()) return EndedBy(claim.status());
  // An answer that came too early does not stop the clock: the device is not ours before it is done.
  if (absl::Status status = options_.gpu->Probe(); !status.ok()) return status;
  const absl::Duration outer = absl::Now() - sent_at;
  call = Claimed(*claim);
  if (call.status != reward::v1::CASE_STATUS_UNSPECIFIED || !call.rejection.empty()) return call;
  absl::StatusOr<worker::v1::GpuRecordsResponse> records = runner_->TakeRecords();
  if (!records.ok()) return EndedBy(records.status());
  call.records = *std::move(records);
  call.outer = outer;
  const absl::Duration span = Span(call.records);
  const bool is_trusted = !is_launcher() && span > absl::ZeroDuration();
  call.time = is_trusted ? span : BoundedTime(span, outer, idle);
  return call;
}

absl::StatusOr<worker::v1::GpuProfileResponse> MeasuredProgram::Profile(const std::vector<std::string>& scalars,
                                                                        reward::v1::ProfileLevel level,
                                                                        int kernel_count) {
  worker::v1::GpuProfileRequest profile;
  std::string rejection;
  profile.set_kernel_count(kernel_count);
  profile.set_repeatable(
      std::none_of(memory_->layout().begin(), memory_->layout().end(),
                   [](const ParameterLayout& entry) { return entry.is_input() && entry.is_output(); }));
  *profile.mutable_call() = CallRequest(scalars, &rejection);
  profile.set_level(level);
  profile.mutable_call()->set_recorded(false);
  // Every kernel is replayed.
  return runner_->Profile(profile, absl::Now() + 20 * options_.call_limit);
}

absl::Status MeasuredProgram::EndCase() {
  memory_ = nullptr;
  return runner_->UnmapAll();
}

MeasuredCall MeasuredProgram::Claimed(const worker::v1::GpuCallResponse& claim) const {
  MeasuredCall call;
  if (claim.error() == 0) return call;
  const std::string text = absl::StrCat(claim.error_name(), " from ", claim.detail());
  if (claim.sticky()) {
    call.status = reward::v1::CASE_STATUS_MEMORY_FAULT;
    call.detail = absl::StrCat(FaultText(claim.error_name()), " (", text, ")");
  } else if (claim.error_name() == "CUDA_ERROR_OUT_OF_MEMORY") {
    call.status = reward::v1::CASE_STATUS_MEMORY_FAULT;
    call.detail = absl::StrCat("the device has too little memory for it (", text, ")");
  } else {
    // A launch that the device does not take: whatever the outputs hold was not made by it.
    call.rejection = absl::StrCat("the device refuses it: ", text);
  }
  return call;
}

absl::StatusOr<MeasuredCall> MeasuredProgram::EndedBy(const absl::Status& status) {
  MeasuredCall call;
  if (absl::IsDeadlineExceeded(status)) {
    runner_->End();
    call.status = reward::v1::CASE_STATUS_TIMED_OUT;
    call.detail = absl::StrCat("it did not end within ", absl::FormatDuration(options_.call_limit));
  } else if (absl::IsResourceExhausted(status)) {
    runner_->End();
    call.status = reward::v1::CASE_STATUS_MEMORY_FAULT;
    call.detail = std::string(status.message());
  } else if (absl::IsAborted(status)) {
    const ProcessEnd end = runner_->End(GpuRunnerSession::EndKind::kHasHungUp);
    // Where no host code of the program runs, its death is ours.
    if (!is_launcher()) return absl::AbortedError(absl::StrCat("the GPU runner ", DescribeEnd(end)));
    call.status = end.cause == ProcessEnd::Cause::kMemory ? reward::v1::CASE_STATUS_MEMORY_FAULT
                                                          : reward::v1::CASE_STATUS_CRASHED;
    call.detail = end.cause == ProcessEnd::Cause::kKilledByUs ? "it sent something else than an answer"
                                                              : absl::StrCat("the host process ", DescribeEnd(end));
  } else {
    return status;
  }
  runner_ = nullptr;
  return call;
}

}  // namespace cudaperf::sandbox
