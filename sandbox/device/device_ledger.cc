#include "sandbox/device/device_ledger.h"

#include <utility>

#include "absl/strings/str_cat.h"

namespace cudaperf::sandbox {
namespace {

using emulator::LaunchResult;
using reward::v1::Finding;
using reward::v1::Transfers;
using worker::v1::CopyRequest;
using worker::v1::DeviceError;

Finding FatalFinding(reward::v1::FindingKind kind, std::string message) {
  Finding finding;
  finding.set_kind(kind);
  finding.set_message(std::move(message));
  finding.set_count(1);
  finding.set_fatal(true);
  return finding;
}

DeviceError ErrorOf(LaunchResult::Status status) {
  switch (status) {
    case LaunchResult::Status::kOk:
      return worker::v1::DEVICE_ERROR_NONE;
    case LaunchResult::Status::kBadLaunch:
      return worker::v1::DEVICE_ERROR_BAD_LAUNCH;
    case LaunchResult::Status::kFault:
      return worker::v1::DEVICE_ERROR_FAULT;
    case LaunchResult::Status::kBudget:
      return worker::v1::DEVICE_ERROR_BUDGET;
    case LaunchResult::Status::kUnsupported:
      return worker::v1::DEVICE_ERROR_UNSUPPORTED;
  }
  return worker::v1::DEVICE_ERROR_UNSUPPORTED;
}

}  // namespace

worker::v1::LaunchResponse DeviceLedger::RecordLaunch(LaunchResult result) {
  ++launch_count_;
  worker::v1::LaunchResponse response;
  response.set_error(ErrorOf(result.status));
  response.set_detail(result.detail);
  bool named = false;
  for (Finding& finding : result.findings) {
    if (finding.fatal() && !named) {
      response.set_fault_kind(finding.kind());
      if (result.detail.empty()) response.set_detail(finding.message());
      named = true;
    }
    AddFinding(std::move(finding));
  }
  if (result.status == LaunchResult::Status::kBadLaunch) {
    if (!named) AddFinding(FatalFinding(reward::v1::FINDING_KIND_BAD_LAUNCH, response.detail()));
    response.set_fault_kind(reward::v1::FINDING_KIND_BAD_LAUNCH);
    if (content_.first_error() == worker::v1::DEVICE_ERROR_NONE) {
      content_.set_first_error(response.error());
      content_.set_first_error_detail(response.detail());
    }
    return response;
  }
  if (content_.executions_size() >= kMaxLaunchesWithLines) result.execution.clear_lines();
  *content_.add_executions() = std::move(result.execution);
  if (response.error() != worker::v1::DEVICE_ERROR_NONE) {
    sticky_kind_ = response.fault_kind();
    RecordSticky(response.error(), response.detail());
  }
  return response;
}

void DeviceLedger::RecordTransfer(CopyRequest::Kind kind, int64_t bytes) {
  Transfers* transfers = content_.mutable_transfers();
  switch (kind) {
    case CopyRequest::KIND_HOST_TO_DEVICE:
      transfers->set_host_to_device_count(transfers->host_to_device_count() + 1);
      break;
    case CopyRequest::KIND_DEVICE_TO_HOST:
      transfers->set_device_to_host_count(transfers->device_to_host_count() + 1);
      break;
    default:
      transfers->set_device_to_device_count(transfers->device_to_device_count() + 1);
  }
  ExtendTransfer(kind, bytes);
}

void DeviceLedger::ExtendTransfer(CopyRequest::Kind kind, int64_t bytes) {
  Transfers* transfers = content_.mutable_transfers();
  switch (kind) {
    case CopyRequest::KIND_HOST_TO_DEVICE:
      transfers->set_host_to_device_bytes(transfers->host_to_device_bytes() + bytes);
      break;
    case CopyRequest::KIND_DEVICE_TO_HOST:
      transfers->set_device_to_host_bytes(transfers->device_to_host_bytes() + bytes);
      break;
    default:
      transfers->set_device_to_device_bytes(transfers->device_to_device_bytes() + bytes);
  }
}

void DeviceLedger::RecordFill(int64_t bytes, bool continues) {
  Transfers* transfers = content_.mutable_transfers();
  transfers->set_device_fill_bytes(transfers->device_fill_bytes() + bytes);
  if (!continues) transfers->set_device_fill_count(transfers->device_fill_count() + 1);
}

void DeviceLedger::RecordRefusal(DeviceError error, std::string detail) {
  Finding finding;
  finding.set_kind(error == worker::v1::DEVICE_ERROR_OUT_OF_MEMORY ? reward::v1::FINDING_KIND_OUT_OF_MEMORY
                                                                   : reward::v1::FINDING_KIND_API_ERROR);
  finding.set_message(detail);
  finding.set_count(1);
  AddFinding(std::move(finding));
  if (content_.first_error() != worker::v1::DEVICE_ERROR_NONE) return;
  content_.set_first_error(error);
  content_.set_first_error_detail(std::move(detail));
}

void DeviceLedger::RecordSticky(DeviceError error, std::string detail) {
  if (sticky_error_ != worker::v1::DEVICE_ERROR_NONE) return;
  sticky_error_ = error;
  sticky_detail_ = std::move(detail);
  // Graver than a refused call that came before it.
  content_.set_first_error(sticky_error_);
  content_.set_first_error_detail(sticky_detail_);
}

void DeviceLedger::RecordUnsupportedClaim(const std::string& claim) {
  if (sticky_error_ != worker::v1::DEVICE_ERROR_NONE) return;
  RecordSticky(worker::v1::DEVICE_ERROR_UNSUPPORTED, absl::StrCat("unsupported: ", claim));
  unsupported_claim_ = claim;
  content_.set_unsupported_claim(claim);
}

void DeviceLedger::Reset() {
  content_.Clear();
  content_.set_unsupported_claim(unsupported_claim_);
  content_.mutable_transfers();
  content_.set_first_error(sticky_error_);
  content_.set_first_error_detail(sticky_detail_);
  launch_count_ = 0;
}

void DeviceLedger::AddFinding(Finding finding) {
  for (Finding& known : *content_.mutable_findings()) {
    if (known.kind() == finding.kind() && known.kernel() == finding.kernel() && known.file() == finding.file() &&
        known.line() == finding.line() && (finding.line() != 0 || known.message() == finding.message())) {
      known.set_count(known.count() + finding.count());
      known.set_fatal(known.fatal() || finding.fatal());
      return;
    }
  }
  // Room is kept for the fatal ones, of which there are few: they end the run.
  if (content_.findings_size() >= kMaxFindings && !finding.fatal()) return;
  if (content_.findings_size() >= 2 * kMaxFindings) return;
  *content_.add_findings() = std::move(finding);
}

}  // namespace cudaperf::sandbox
