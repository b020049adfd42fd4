#include "sandbox/judge/examined_device.h"

#include <algorithm>
#include <utility>

#include "absl/strings/strip.h"
#include "sandbox/task/data_type.h"

namespace cudaperf::sandbox {
namespace {

using reward::v1::Finding;

const Finding* FirstFatal(const worker::v1::CollectResponse& collected) {
  const auto found = std::find_if(collected.findings().begin(), collected.findings().end(),
                                  [](const Finding& finding) { return finding.fatal(); });
  return found == collected.findings().end() ? nullptr : &*found;
}

reward::v1::CaseStatus StatusOf(worker::v1::DeviceError error) {
  switch (error) {
    case worker::v1::DEVICE_ERROR_FAULT:
      return reward::v1::CASE_STATUS_MEMORY_FAULT;
    case worker::v1::DEVICE_ERROR_BUDGET:
      return reward::v1::CASE_STATUS_TIMED_OUT;
    case worker::v1::DEVICE_ERROR_UNSUPPORTED:
      return reward::v1::CASE_STATUS_NOT_SCREENED;
    // Refused calls: what a program makes of them shows in its outputs.
    default:
      return reward::v1::CASE_STATUS_UNSPECIFIED;
  }
}

}  // namespace

absl::StatusOr<ExaminedDevice> ExaminedDevice::Prepare(std::unique_ptr<DeviceSession> session,
                                                       const WorkerSettings& settings,
                                                       const worker::v1::ExamineRequest& request,
                                                       Interruption* interruption) {
  ExaminedDevice device(std::move(session), request);
  device.session_->Serve(interruption);
  worker::v1::ConfigureRequest configuration;
  configuration.set_instruction_budget(request.instruction_budget());
  configuration.set_memory_limit_bytes(request.device_memory_limit_bytes());
  configuration.set_checkers(request.checkers());
  configuration.set_thread_count(settings.thread_count);
  configuration.set_architecture(settings.architecture);
  if (absl::Status status = device.session_->Configure(configuration); !status.ok()) return status;
  return device;
}

absl::Status ExaminedDevice::Attach(const std::vector<ParameterLayout>& layout, const CallBuffers& buffers) {
  addresses_.assign(layout.size(), 0);
  for (size_t i = 0; i < layout.size(); ++i) {
    const std::optional<SharedBuffer>& buffer = buffers.at(static_cast<int>(i));
    if (!buffer.has_value()) continue;
    worker::v1::AttachBufferRequest attach;
    attach.set_name(request_->task().parameters(static_cast<int>(i)).name());
    attach.set_size_bytes(layout[i].size_bytes);
    attach.set_read_only(!layout[i].is_output());
    attach.set_initialized(layout[i].is_input());
    attach.set_element_size_bytes(static_cast<int>(ElementSize(layout[i].dtype)));
    const absl::StatusOr<uint64_t> address = session_->Attach(attach, buffer->fd());
    if (!address.ok()) return address.status();
    addresses_[i] = *address;
  }
  return absl::OkStatus();
}

std::string ExaminedDevice::AddressBytes(int parameter) const {
  const uint64_t address = addresses_[parameter];
  return std::string(reinterpret_cast<const char*>(&address), sizeof(address));
}

CallOutcome OutcomeOf(worker::v1::CollectResponse collected) {
  CallOutcome outcome;
  outcome.status = StatusOf(collected.first_error());
  const Finding* fatal = FirstFatal(collected);
  outcome.detail = fatal != nullptr && outcome.status != reward::v1::CASE_STATUS_NOT_SCREENED
                       ? fatal->message()
                       : collected.first_error_detail();
  outcome.collected = std::move(collected);
  return outcome;
}

}  // namespace cudaperf::sandbox
