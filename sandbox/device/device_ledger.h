#ifndef CUDAPERF_SANDBOX_DEVICE_DEVICE_LEDGER_H_
#define CUDAPERF_SANDBOX_DEVICE_DEVICE_LEDGER_H_

#include <cstdint>
#include <string>

#include "cudaperf/reward/v1/report.pb.h"
#include "cudaperf/worker/v1/device.pb.h"
#include "emulator/device.h"

namespace cudaperf::sandbox {

// Writes down what happened on the device since the last reset: launches with their counters, findings, transfers and
// the first error. Bounded, whatever the program does; nothing a program does is ever left out of the counters. Not
// thread-safe.
class DeviceLedger {
 public:
  // Launches of one call; more are refused, since their counters could not be kept.
  static constexpr int kMaxLaunches = 16384;
  // Launches that keep counters by source line.
  static constexpr int kMaxLaunchesWithLines = 256;
  static constexpr int kMaxFindings = 256;

  DeviceLedger() { Reset(); }

  // Files the outcome of a launch and returns what to answer.
  worker::v1::LaunchResponse RecordLaunch(emulator::LaunchResult result);
  // Whether one more launch can be counted.
  bool HasRoomForLaunch() const { return launch_count_ < kMaxLaunches; }

  void RecordTransfer(worker::v1::CopyRequest::Kind kind, int64_t bytes);
  // A further piece of the transfer before it.
  void ExtendTransfer(worker::v1::CopyRequest::Kind kind, int64_t bytes);
  // One fill, or a further row of the one before it.
  void RecordFill(int64_t bytes, bool continues);

  // A request of the command channel, whatever it asks for.
  void RecordCommand() { content_.set_command_count(content_.command_count() + 1); }

  // A refused call: an API_ERROR finding, and the first error if it is.
  void RecordRefusal(worker::v1::DeviceError error, std::string detail);
  // Something after which the program's answers mean nothing: FAULT, BUDGET or UNSUPPORTED. Every later call reports
  // it.
  void RecordSticky(worker::v1::DeviceError error, std::string detail);
  // UNSUPPORTED, because the host process says so.
  void RecordUnsupportedClaim(const std::string& claim);

  // NONE, or the sticky error.
  worker::v1::DeviceError sticky_error() const { return sticky_error_; }
  const std::string& sticky_detail() const { return sticky_detail_; }
  reward::v1::FindingKind sticky_kind() const { return sticky_kind_; }

  const worker::v1::CollectResponse& content() const { return content_; }
  // Forgets everything but a sticky error.
  void Reset();

 private:
  void AddFinding(reward::v1::Finding finding);

  worker::v1::CollectResponse content_;
  int launch_count_ = 0;
  worker::v1::DeviceError sticky_error_ = worker::v1::DEVICE_ERROR_NONE;
  std::string sticky_detail_;
  // Empty unless the sticky error is one.
  std::string unsupported_claim_;
  reward::v1::FindingKind sticky_kind_ = reward::v1::FINDING_KIND_UNSPECIFIED;
};

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_DEVICE_DEVICE_LEDGER_H_
